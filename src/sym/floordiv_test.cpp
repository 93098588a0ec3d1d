#include <gtest/gtest.h>

#include "sym/context.h"

namespace cameo::sym {
namespace {

struct FloordivTest : testing::Test {
  Context context;
  Expr batch = context.symbol("batch");
  Expr h = context.symbol("h");
  Expr w = context.symbol("w");
};

TEST_F(FloordivTest, DividesExactly) {
  EXPECT_EQ(floordiv(batch * 12, 12), batch);
  EXPECT_EQ(floordiv(batch * h * w, h * w), batch);
  EXPECT_EQ(floordiv(h * h - 1, h + 1), h - 1);
  EXPECT_EQ(floordiv(h, h), 1);
  EXPECT_EQ(floordiv(h, -1), -h);
}

TEST_F(FloordivTest, TakesMultiplesOut) {
  EXPECT_EQ(floordiv(4 * h + w, 4), h + floordiv(w, 4));
  EXPECT_EQ(floordiv(h + 9, 4), floordiv(h + 1, 4) + 2);
  EXPECT_EQ(floordiv(h - 1, 4) + 1, floordiv(h + 3, 4));
  EXPECT_EQ(floordiv(3 * h, 2), h + floordiv(h, 2));
  EXPECT_EQ(floordiv(batch * w + h, w), batch + floordiv(h, w));
}

TEST_F(FloordivTest, CancelsCommonDivisors) {
  EXPECT_EQ(floordiv(6 * h + 3, 4), h + floordiv(h * 2 + 3, 4));
  EXPECT_EQ(floordiv(2 * h + 1, 4), floordiv(h, 2));
  EXPECT_EQ(floordiv(2 * h * w, 4 * h), floordiv(w, 2));
  EXPECT_EQ(floordiv(h * batch, w * batch), floordiv(h, w));
}

TEST_F(FloordivTest, NegativeNumeratorsAndDivisorsHaveOneForm) {
  EXPECT_EQ(ceildiv(h, 8), floordiv(h + 7, 8));
  EXPECT_EQ(floordiv(h, -8), -ceildiv(h, 8));
  EXPECT_EQ(floordiv(h - w, 2) + w, floordiv(h + w, 2));
}

TEST_F(FloordivTest, NestedDivisionsMerge) {
  EXPECT_EQ(floordiv(floordiv(h, 2), 3), floordiv(h, 6));
  EXPECT_EQ(floordiv(floordiv(h, w), batch), floordiv(h, w * batch));
  EXPECT_EQ(floordiv(h - floordiv(h, 2), 4), floordiv(h + 1, 8));
}

TEST_F(FloordivTest, ChainsOfConvolutionsStayCompact) {
  EXPECT_EQ(floordiv(floordiv(h - 1, 2) + 1 - 1, 2) + 1, floordiv(h - 1, 4) + 1);
  Expr size = h;
  for (int i = 0; i < 5; ++i) size = floordiv(size + 2 * 1 - 3, 2) + 1;
  EXPECT_EQ(to_string(size), "floor((h + 31)/32)");
  EXPECT_EQ(context.less_equal(1, size), Truth::yes);
}

TEST_F(FloordivTest, SmallNumeratorsGiveConstants) {
  const Expr digit = context.symbol("digit", {0, 9});
  EXPECT_EQ(floordiv(digit, 10), 0);
  EXPECT_EQ(floordiv(digit - 10, 10), -1);
  EXPECT_EQ(floordiv(w, h + w), 0);
  EXPECT_EQ(floordiv(-w, h + w), -1);
  EXPECT_EQ(floordiv(mod(h, 7), 7), 0);
}

TEST_F(FloordivTest, TruncationIsFloorWhereTheSignIsKnown) {
  const Expr any = context.symbol("any", kAnyInteger);
  EXPECT_EQ(truncdiv(h + 1, 2), floordiv(h + 1, 2));
  EXPECT_EQ(truncdiv(-h, 2), -floordiv(h, 2));
  EXPECT_EQ(truncdiv(h, -2), -floordiv(h, 2));
  EXPECT_EQ(truncdiv(-any, 2), -truncdiv(any, 2));
  EXPECT_EQ(truncdiv(any, 2).as_atom()->kind, Kind::truncdiv);
  EXPECT_EQ(truncdiv(6 * any, 3), 2 * any);
  EXPECT_EQ(truncmod(h, 3), mod(h, 3));
}

TEST_F(FloordivTest, RemaindersAndQuotientsCancel) {
  EXPECT_EQ(mod(h, 4) + 4 * floordiv(h, 4), h);
  EXPECT_EQ(mod(h, w) + w * floordiv(h, w), h);
  EXPECT_EQ(mod(12 * h, 4), 0);
  EXPECT_EQ(mod(mod(h, 8), 4), mod(h, 4));
  EXPECT_EQ(mod(h + 4 * w, 4), mod(h, 4));
  EXPECT_EQ(mod(mod(h, 4), 4), mod(h, 4));
}

TEST_F(FloordivTest, PaddingToAMultiple) {
  const Expr pad = mod(8 - mod(h, 8), 8);
  EXPECT_EQ(h + pad, 8 * ceildiv(h, 8));
  EXPECT_EQ(context.divisible(h + pad, 8), Truth::yes);
  EXPECT_EQ(context.range(pad), (Range{0, 7}));
}

TEST_F(FloordivTest, RemaindersAreRecognised) {
  const auto remainder = as_remainder(mod(h + 1, w));
  ASSERT_TRUE(remainder);
  EXPECT_EQ(remainder->dividend, h + 1);
  EXPECT_EQ(remainder->divisor, w);
  EXPECT_FALSE(as_remainder(h - 2));
  EXPECT_FALSE(as_remainder(h - 4 * floordiv(w, 4)));
}

}  // namespace
}  // namespace cameo::sym
