#include "sketch.h"

namespace cameo::rules::testing {
namespace {

TEST(MergeSqueezes, AxesCountInTheWhole) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({1, 2, 1, 3, 1})});
  Value* less = s.node("Squeeze", {s.node("Squeeze", {x, s.ints({2})}), s.ints({0, -1})});
  s.output(s.node("Neg", {less}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-squeezes", 1}}));
  Sketch t;
  Value* more =
      t.node("Unsqueeze", {t.node("Unsqueeze", {t.input({2, 3}), t.ints({0, 2})}), t.ints({1, -1})});
  t.output(t.node("Neg", {more}));
  EXPECT_EQ(t.simplified(), (Applied{{"merge-squeezes", 1}}));
  EXPECT_EQ(t.operators(), (Operators{"Unsqueeze", "Neg"}));
}

TEST(MergeSqueezes, AsAttributesOfOldOpsets) {
  Sketch s(11);
  Value* x = s.input({2, 3});
  for (const Ints& axes : {Ints{0}, Ints{2}}) {
    x = s.node("Unsqueeze", {x, s.ints(axes)});
    x->producer->inputs.resize(1);
    x->producer->attributes = {{"axes", axes}};
  }
  s.output(s.node("Neg", {x}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-squeezes", 1}}));
}

TEST(MergeSlices, OfDifferentAxes) {
  Sketch s;
  Value* x = s.input({4, 6});
  Value* rows = s.node("Slice", {x, s.ints({1}), s.ints({3}), s.ints({0})});
  s.output(s.node("Slice", {rows, s.ints({5}), s.ints({-10}), s.ints({-1}), s.ints({-2})}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-slices", 1}}));
  EXPECT_EQ(s.operators(), Operators{"Slice"});
  Sketch t;
  Value* first = t.node("Slice", {t.input({4, 6}), t.ints({1}), t.ints({3}), t.ints({0})});
  t.output(t.node("Slice", {first, t.ints({1}), t.ints({2}), t.ints({0})}));
  EXPECT_EQ(t.simplified(), Applied{});
}

TEST(MergeConcats, AlongTheSameAxis) {
  Sketch s;
  auto concat = [&s](std::vector<Value*> parts, std::int64_t axis) {
    return s.node("Concat", std::move(parts), {{"axis", axis}});
  };
  Value *a = s.input({2, 3}), *b = s.input({2, 3});
  Value* across = concat({a, b}, 0);
  s.output(concat({concat({a, b}, 1), concat({b, a}, -1), a}, 1));
  s.output(concat({across, across}, 0), "twice");
  s.output(concat({concat({a, b}, 0)}, 0), "through");
  EXPECT_EQ(s.simplified({.only = {"merge-concats"}}), (Applied{{"merge-concats", 2}}));
}

TEST(MergeReduce, KeepsOrDropsItsAxes) {
  Sketch s(18);
  Value* x = s.input({2, 3, 4});
  auto reduced = [&](const Ints& axes, std::int64_t keep) {
    return s.node("ReduceMean", {x, s.ints(axes)}, {{"keepdims", keep}});
  };
  s.output(s.node("Unsqueeze", {reduced({0, -1}, 0), s.ints({0, 2})}));
  s.output(s.node("Squeeze", {reduced({1}, 1), s.ints({1})}), "dropped");
  s.output(s.node("Unsqueeze", {reduced({2}, 0), s.ints({0})}), "elsewhere");
  EXPECT_EQ(s.simplified(), (Applied{{"merge-reduce", 2}}));
}

TEST(MergeGemm, AProductAndASum) {
  for (const Ints& shape : {Ints{4}, Ints{1, 4}, Ints{2, 1}, Ints{}}) {
    Sketch s;
    Value* product = s.node("MatMul", {s.input({2, 3}), s.reals({3, 4})});
    s.output(s.node("Add", {s.reals(shape), product}));
    EXPECT_EQ(s.simplified(), (Applied{{"merge-gemm", 1}}));
    EXPECT_EQ(s.operators(), Operators{"Gemm"});
  }
}

TEST(MergeGemm, NotOfMoreAxesAndNotIfTheSumIsLarger) {
  Sketch batched, larger;
  batched.output(batched.node(
      "Add",
      {batched.node("MatMul", {batched.input({5, 2, 3}), batched.reals({3, 4})}), batched.reals({4})}));
  EXPECT_EQ(batched.simplified(), Applied{});
  larger.output(larger.node(
      "Add", {larger.node("MatMul", {larger.input({1, 3}), larger.reals({3, 4})}), larger.reals({2, 4})}));
  EXPECT_EQ(larger.simplified(), Applied{});
}

TEST(MergeGemm, TransposesItself) {
  Sketch s;
  Value* a = s.node("Transpose", {s.input({3, 2})});
  Value* b = s.node("Transpose", {s.input({4, 3})}, {{"perm", Ints{1, 0}}});
  s.output(s.node("Gemm", {a, b, s.reals({4})}));
  EXPECT_EQ(s.simplified(), (Applied{{"merge-gemm-transpose", 2}}));
  EXPECT_EQ(s.operators(), Operators{"Gemm"});
}

TEST(FoldBias, OfEachChannel) {
  for (const Ints& shape : {Ints{3, 1, 1}, Ints{1, 3, 1, 1}, Ints{}, Ints{1, 1}}) {
    Sketch s;
    Value* y = s.node("Conv", {s.input({1, 2, 4, 3}), s.reals({3, 2, 1, 1})});
    s.output(s.node("Add", {y, s.reals(shape)}));
    EXPECT_EQ(s.simplified(), (Applied{{"fold-bias", 1}}));
    EXPECT_EQ(s.operators(), Operators{"Conv"});
  }
  Sketch transposed;
  Value* y =
      transposed.node("ConvTranspose", {transposed.input({1, 4, 3, 3}), transposed.reals({4, 2, 1, 1})},
                      {{"group", std::int64_t{2}}});
  transposed.output(transposed.node("Add", {transposed.reals({4, 1, 1}), y}));
  EXPECT_EQ(transposed.simplified(), (Applied{{"fold-bias", 1}}));
}

TEST(FoldBias, NotOfAnotherAxisAndNotTwice) {
  for (const Ints& shape : {Ints{3}, Ints{3, 1}, Ints{2, 3, 1, 1}}) {
    Sketch s;
    Value* y = s.node("Conv", {s.input({1, 2, 3, 3}), s.reals({3, 2, 1, 1})});
    s.output(s.node("Add", {y, s.reals(shape)}));
    EXPECT_EQ(s.simplified(), Applied{});
  }
  Sketch s;
  Value* y = s.node("Conv", {s.input({1, 2, 3, 3}), s.reals({3, 2, 1, 1}), s.reals({3})});
  s.output(s.node("Add", {y, s.reals({3, 1, 1})}));
  EXPECT_EQ(s.simplified(), Applied{});
}

}  // namespace
}  // namespace cameo::rules::testing
