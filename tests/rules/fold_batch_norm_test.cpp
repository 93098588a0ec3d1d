#include "sketch.h"

namespace cameo::rules::testing {
namespace {

const Applied kConvolution = {{"fold-batch-norm", 1}};
const Applied kLinear = {{"fold-batch-norm-linear", 1}};

TEST(FoldBatchNorm, IntoConvolutions) {
  for (bool bias : {false, true})
    for (std::int64_t groups : {1, 2}) {
      Sketch s;
      std::vector<Value*> inputs{s.input({2, 4, 6, 6}), s.reals({8, 4 / groups, 3, 3})};
      if (bias) inputs.push_back(s.reals({8}));
      s.output(s.batch_norm(s.node("Conv", inputs, {{"group", groups}}), 8));
      EXPECT_EQ(s.simplified(), kConvolution);
      EXPECT_EQ(s.operators(), Operators{"Conv"});
    }
}

TEST(FoldBatchNorm, IntoTransposedConvolutions) {
  for (std::int64_t groups : {1, 2}) {
    Sketch s;
    Value* y = s.node("ConvTranspose", {s.input({1, 4, 5, 5}), s.reals({4, 3, 2, 2})}, {{"group", groups}});
    s.output(s.batch_norm(y, 3 * groups));
    EXPECT_EQ(s.simplified(), kConvolution);
    EXPECT_EQ(s.operators(), Operators{"ConvTranspose"});
  }
}

TEST(FoldBatchNorm, IntoGemm) {
  for (std::int64_t transposed : {0, 1})
    for (bool bias : {false, true})
      for (DType dtype : {DType::f32, DType::f64}) {
        Sketch s;
        std::vector<Value*> inputs{s.input({2, 5}, dtype),
                                   s.reals(transposed ? Ints{3, 5} : Ints{5, 3}, dtype)};
        if (bias) inputs.push_back(s.reals({3}, dtype));
        Value* y = s.node("Gemm", inputs, {{"transB", transposed}, {"alpha", 0.5f}});
        s.output(s.batch_norm(y, 3, dtype));
        EXPECT_EQ(s.simplified(), kLinear);
        EXPECT_EQ(s.operators(), Operators{"Gemm"});
      }
}

TEST(FoldBatchNorm, IntoMatMul) {
  Sketch s;
  s.output(s.batch_norm(s.node("MatMul", {s.input({2, 5}), s.reals({5, 3})}), 3));
  EXPECT_EQ(s.simplified(), kLinear);
  EXPECT_EQ(s.operators(), Operators{"Gemm"});
}

TEST(FoldBatchNorm, IntoMatMulAndAdd) {
  for (bool first : {false, true}) {
    Sketch s;
    Value* product = s.node("MatMul", {s.input({2, 5}), s.reals({5, 3})});
    Value* bias = s.reals({3});
    s.output(s.batch_norm(first ? s.node("Add", {bias, product}) : s.node("Add", {product, bias}), 3));
    EXPECT_EQ(s.simplified({.disabled = {"merge-gemm"}}), kLinear);
    EXPECT_EQ(s.operators(), (Operators{"MatMul", "Add"}));
  }
}

TEST(FoldBatchNorm, AWeightOfTwoConvolutionsIsKeptForTheOther) {
  Sketch s;
  Value* x = s.input({1, 2, 4, 4});
  Value* weight = s.reals({2, 2, 1, 1});
  s.output(s.batch_norm(s.node("Conv", {x, weight}), 2));
  s.output(s.node("Conv", {x, weight}), "z");
  EXPECT_EQ(s.simplified(), kConvolution);
}

TEST(FoldBatchNorm, NotWhereTheConvolutionIsReadElsewhere) {
  Sketch s;
  Value* y = s.node("Conv", {s.input({1, 2, 4, 4}), s.reals({3, 2, 1, 1})});
  s.output(s.batch_norm(y, 3));
  s.output(s.node("Relu", {y}), "z");
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(FoldBatchNorm, NotWhereTheConvolutionIsAnOutput) {
  Sketch s;
  Value* y = s.output(s.node("Conv", {s.input({1, 2, 4, 4}), s.reals({3, 2, 1, 1})}));
  s.output(s.batch_norm(y, 3), "z");
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(FoldBatchNorm, NotWhereWeightsAreInputs) {
  Sketch s;
  Value* x = s.input({1, 2, 4, 4});
  s.output(s.batch_norm(s.node("Conv", {x, s.input({3, 2, 1, 1})}), 3));
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(FoldBatchNorm, NotInTrainingOrWhereWeightsMustStay) {
  Sketch s;
  Value* y = s.batch_norm(s.node("Conv", {s.input({1, 2, 4, 4}), s.reals({3, 2, 1, 1})}), 3);
  s.output(y);
  EXPECT_EQ(s.simplified({.change_weights = false}), Applied{});
  y->producer->attributes.push_back({"training_mode", std::int64_t{1}});
  EXPECT_EQ(simplify(s.model), Applied{});
}

TEST(FoldBatchNorm, NotForHalfPrecision) {
  Sketch s;
  const std::vector<std::byte> zeros(12);
  Value* weight = s.constant(std::make_shared<onnx::Data>(DType::f16, Ints{3, 2, 1, 1}, zeros));
  s.output(s.batch_norm(s.node("Conv", {s.input({1, 2, 4, 4}, DType::f16), weight}), 3));
  EXPECT_EQ(simplify(s.model), Applied{});
}

TEST(FoldBatchNorm, NotIntoALinearLayerOfSequences) {
  Sketch s;  // [batch, 3, 3]: the channels are not what the layer gives
  s.output(s.batch_norm(s.node("MatMul", {s.input({2, 3, 5}), s.reals({5, 3})}), 3));
  EXPECT_EQ(s.simplified(), Applied{});
}

}  // namespace
}  // namespace cameo::rules::testing
