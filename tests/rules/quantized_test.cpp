#include "sketch.h"

namespace cameo::rules::testing {
namespace {

Value* one_scale(Sketch& s, float value) {
  return s.constant(onnx::Data::of<float>(DType::f32, {}, std::span<const float>(&value, 1)));
}
Value* zero_point(Sketch& s, std::int8_t value) {
  return s.constant(onnx::Data::of<std::int8_t>(DType::i8, {}, std::span<const std::int8_t>(&value, 1)));
}
Value* eight_bits(Sketch& s, const Ints& shape) {
  std::vector<std::int8_t> elements;
  std::int64_t count = 1;
  for (std::int64_t dim : shape) count *= dim;
  for (std::int64_t i = 0; i < count; ++i) elements.push_back(static_cast<std::int8_t>(i * 37 % 7 - 3));
  return s.constant(onnx::Data::of<std::int8_t>(DType::i8, shape, std::span<const std::int8_t>(elements)));
}

TEST(Quantized, AQuantizeLinearThatUndoesADequantizeLinear) {
  Sketch s;
  Value* q = s.node("QuantizeLinear", {s.input({2, 3}), one_scale(s, 0.5F), zero_point(s, 3)});
  Value* x = s.node("DequantizeLinear", {q, one_scale(s, 0.5F), zero_point(s, 3)});
  Value* again = s.node("QuantizeLinear", {x, one_scale(s, 0.5F), zero_point(s, 3)});
  s.output(s.node("DequantizeLinear", {again, one_scale(s, 0.5F), zero_point(s, 3)}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-requantize", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"QuantizeLinear", "DequantizeLinear"}));
}

TEST(Quantized, NotOneWithOtherParameters) {
  for (const auto& [scale, zero] : {std::pair(0.25F, 3), std::pair(0.5F, 4)}) {
    Sketch s;
    Value* q = s.node("QuantizeLinear", {s.input({2, 3}), one_scale(s, 0.5F), zero_point(s, 3)});
    Value* x = s.node("DequantizeLinear", {q, one_scale(s, 0.5F), zero_point(s, 3)});
    s.output(
        s.node("QuantizeLinear", {x, one_scale(s, scale), zero_point(s, static_cast<std::int8_t>(zero))}));
    EXPECT_EQ(s.simplified(), Applied{});
  }
}

TEST(Quantized, ChangesOfShapeMoveIntegers) {
  Sketch s;
  Value* q = s.node("QuantizeLinear", {s.input({2, 3}), one_scale(s, 0.5F), zero_point(s, 3)});
  Value* x = s.node("DequantizeLinear", {q, one_scale(s, 0.5F), zero_point(s, 3)});
  Value* turned = s.node("Transpose", {x}, {{"perm", Ints{1, 0}}});
  Value* flat = s.node("Reshape", {turned, s.ints({6})});
  Value* again = s.node("QuantizeLinear", {flat, one_scale(s, 0.5F), zero_point(s, 3)});
  s.output(s.node("DequantizeLinear", {again, one_scale(s, 0.5F), zero_point(s, 3)}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-requantize", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"QuantizeLinear", "Transpose", "Reshape", "DequantizeLinear"}));
}

TEST(Quantized, NotChangesOfShapeThatOthersRead) {
  Sketch s;
  Value* q = s.node("QuantizeLinear", {s.input({2, 3}), one_scale(s, 0.5F), zero_point(s, 3)});
  Value* x = s.node("DequantizeLinear", {q, one_scale(s, 0.5F), zero_point(s, 3)});
  Value* turned = s.node("Transpose", {x}, {{"perm", Ints{1, 0}}});
  s.output(s.node("QuantizeLinear", {turned, one_scale(s, 0.5F), zero_point(s, 3)}));
  s.output(s.node("Neg", {turned}), "z");
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(Quantized, ATransposeOfWeightsBecomesTheirOrder) {
  Sketch s;
  Value* zeros = s.constant(onnx::Data::of<std::int8_t>(DType::i8, {4}, std::vector<std::int8_t>(4)));
  Value* w =
      s.node("DequantizeLinear", {eight_bits(s, {4, 3}), s.reals({4}), zeros}, {{"axis", std::int64_t{0}}});
  s.output(s.node("MatMul", {s.input({2, 3}), s.node("Transpose", {w}, {{"perm", Ints{1, 0}}})}));
  EXPECT_EQ(s.simplified(), (Applied{{"move-dequantize", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"DequantizeLinear", "MatMul"}));
}

// conv / divisor + bias, and a batch normalisation whose factor the divisor undoes, as fused modules compute it.
Operators trained(bool divided, bool biased, Applied expected) {
  Sketch s;
  Value* zeros = s.constant(onnx::Data::of<std::int8_t>(DType::i8, {4}, std::vector<std::int8_t>(4)));
  Value* w = s.node("DequantizeLinear", {eight_bits(s, {4, 3, 1, 1}), s.reals({4}), zeros},
                    {{"axis", std::int64_t{0}}});
  Value* y = s.node("Conv", {s.input({1, 3, 5, 5}), w});
  if (divided) y = s.node("Div", {y, s.reals({1, 4, 1, 1})});
  if (biased) y = s.node("Add", {y, s.reals({1, 4, 1, 1})});
  s.output(s.batch_norm(y, 4));
  EXPECT_EQ(s.simplified(), expected);
  return s.operators();
}

TEST(Quantized, ABatchNormalisationBecomesBiasAndScales) {
  const Applied once{{"fold-batch-norm-quantized", 1}};
  for (const bool divided : {false, true})
    for (const bool biased : {false, true})
      EXPECT_EQ(trained(divided, biased, once), (Operators{"DequantizeLinear", "Conv"}));
}

}  // namespace
}  // namespace cameo::rules::testing
