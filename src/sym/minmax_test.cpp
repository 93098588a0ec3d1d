#include <gtest/gtest.h>

#include "sym/context.h"

namespace cameo::sym {
namespace {

struct MinMaxTest : testing::Test {
  Context context;
  Expr h = context.symbol("h");
  Expr w = context.symbol("w");
  Expr any = context.symbol("any", kAnyInteger);
};

TEST_F(MinMaxTest, FlattensAndForgetsOrder) {
  EXPECT_EQ(min(h, min(w, any)), min(min(any, h), w));
  EXPECT_EQ(min(min(h, 5), 3), min(h, 3));
  EXPECT_EQ(max(h, h), h);
  EXPECT_EQ(min(min(h, w) + 1, any + 1), min(h, min(w, any)) + 1);
}

TEST_F(MinMaxTest, DropsOperandsThatCannotWin) {
  EXPECT_EQ(max(h, 1), h);
  EXPECT_EQ(max(h, 0), h);
  EXPECT_EQ(min(h, 1), 1);
  EXPECT_EQ(max(h, h + 2), h + 2);
  EXPECT_EQ(min(h * w, h), h);
  EXPECT_EQ(max(max(h, w), w), max(h, w));
  EXPECT_EQ(min(max(h, w), w), w);
}

TEST_F(MinMaxTest, TakesOutWhatIsShared) {
  EXPECT_EQ(min(h + 3, w + 3), min(h, w) + 3);
  EXPECT_EQ(max(2 * h, 2 * w), 2 * max(h, w));
  EXPECT_EQ(max(h - 3, 0), max(h, 3) - 3);
}

TEST_F(MinMaxTest, Abs) {
  EXPECT_EQ(abs(-h), h);
  EXPECT_EQ(abs(any), abs(-any));
  EXPECT_EQ(context.less_equal(0, abs(any)), Truth::yes);
}

TEST_F(MinMaxTest, ManyOperandsAreKeptInGroups) {
  Expr all = any;
  for (int i = 0; i < 40; ++i) all = min(all, context.symbol("s"));
  EXPECT_EQ(context.less_equal(all, any - 1), Truth::unknown);
  EXPECT_LE(all.as_atom()->operands.size(), kMaxOperands);
}

}  // namespace
}  // namespace cameo::sym
