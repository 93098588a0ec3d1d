#include <gtest/gtest.h>

#include "sym/context.h"

namespace cameo::sym {
namespace {

struct KnowledgeTest : testing::Test {
  Context context;
  Expr batch = context.symbol("batch");
  Expr h = context.symbol("h");
  Expr w = context.symbol("w");
  Expr any = context.symbol("any", kAnyInteger);
};

TEST_F(KnowledgeTest, ComparesByBounds) {
  EXPECT_EQ(context.less_equal(1, h * w), Truth::yes);
  EXPECT_EQ(context.less(h * w, 1), Truth::no);
  EXPECT_EQ(context.less_equal(h, h * w), Truth::yes);
  EXPECT_EQ(context.less(h, h + w), Truth::yes);
  EXPECT_EQ(context.equal(h, 0), Truth::no);
  EXPECT_EQ(context.equal(h, w), Truth::unknown);
  EXPECT_EQ(context.equal(2 * any, 2 * h * w + 1), Truth::no);
  EXPECT_EQ(context.less(any, 0), Truth::unknown);
  EXPECT_EQ(context.not_equal(h, -1), Truth::yes);
}

TEST_F(KnowledgeTest, ComparesThroughOperations) {
  EXPECT_EQ(context.less_equal(floordiv(h + 1, 2), h), Truth::yes);
  EXPECT_EQ(context.less_equal(2 * floordiv(h, 2), h), Truth::yes);
  EXPECT_EQ(context.less(mod(h, 4), 4), Truth::yes);
  EXPECT_EQ(context.less_equal(0, mod(any, 4)), Truth::yes);
  EXPECT_EQ(context.less(mod(h, w), w), Truth::yes);
  EXPECT_EQ(context.less_equal(0, mod(h, w)), Truth::yes);
  EXPECT_EQ(context.less_equal(min(h, w), h), Truth::yes);
  EXPECT_EQ(context.less_equal(max(h, w), h + w - 1), Truth::yes);
  EXPECT_EQ(context.less_equal(floordiv(h, w), h), Truth::yes);
}

TEST_F(KnowledgeTest, UsesFacts) {
  EXPECT_EQ(context.less_equal(1, floordiv(h - 3, 2) + 1), Truth::unknown);
  EXPECT_TRUE(context.assume_less_equal(3, h));
  EXPECT_EQ(context.less_equal(1, floordiv(h - 3, 2) + 1), Truth::yes);
  EXPECT_EQ(context.range(h), (Range{3, std::nullopt}));
  EXPECT_TRUE(context.assume_less(h, w));
  EXPECT_EQ(context.less_equal(2 * h + 2, 2 * w), Truth::yes);
  EXPECT_EQ(context.less_equal(h * batch, w * batch), Truth::yes);
  EXPECT_EQ(context.equal(h, w), Truth::no);
  EXPECT_EQ(context.less_equal(0, floordiv(w - h, 2)), Truth::yes);
  EXPECT_EQ(min(h, w), h);
}

TEST_F(KnowledgeTest, FactsChain) {
  context.assume_less(any, h);
  context.assume_less(h, w);
  EXPECT_EQ(context.less_equal(any + 2, w), Truth::yes);
}

TEST_F(KnowledgeTest, FactsAboutOperationsReachTheirOperands) {
  context.assume_less_equal(2, floordiv(h, 4));
  EXPECT_EQ(context.range(h).lower, 8);
  context.assume_less_equal(max(h, w), 20);
  EXPECT_EQ(context.range(w).upper, 20);
  context.assume_equal(floordiv(h, 4), 4);
  EXPECT_EQ(context.range(h), (Range{16, 19}));
  EXPECT_EQ(context.simplify(floordiv(h, 4)), 4);
}

TEST_F(KnowledgeTest, WhatIsKnownToBeWrongIsRefused) {
  EXPECT_FALSE(context.assume_less(h, 1));
  EXPECT_FALSE(context.assume_equal(h, h + 1));
  EXPECT_FALSE(context.assume_divisible(2 * h + 1, 2));
  EXPECT_TRUE(context.assume_less(0, h));
  EXPECT_EQ(context.range(h), (Range{1, std::nullopt}));
}

TEST_F(KnowledgeTest, EqualitiesSubstitute) {
  EXPECT_TRUE(context.assume_equal(w, h + 2));
  EXPECT_EQ(context.simplify(w * batch), h * batch + 2 * batch);
  EXPECT_EQ(context.equal(w - h, 2), Truth::yes);
  EXPECT_EQ(context.less_equal(3, w), Truth::yes);
  EXPECT_TRUE(context.assume_equal(h, 222));
  EXPECT_EQ(context.simplify(floordiv(w, 2)), 112);
}

TEST_F(KnowledgeTest, BoundsOfASubstitutedSymbolAreKept) {
  const Expr smaller = context.symbol("smaller");
  context.assume_equal(smaller, h - 2);
  EXPECT_EQ(context.range(h).lower, 3);
}

TEST_F(KnowledgeTest, EqualitiesThatSolveNothingAreFacts) {
  context.assume_equal(2 * h, 3 * w);
  EXPECT_EQ(context.equal(4 * h, 6 * w), Truth::yes);
  EXPECT_EQ(context.less(w, h), Truth::yes);
}

TEST_F(KnowledgeTest, Differences) {
  context.assume({Relation::not_equal, h, w});
  EXPECT_EQ(context.equal(2 * w, 2 * h), Truth::no);
  context.assume_less_equal(h, w);
  EXPECT_EQ(context.less(h, w), Truth::yes);
  context.assume({Relation::not_equal, batch, 1});
  EXPECT_EQ(context.less_equal(2, batch), Truth::yes);
}

TEST_F(KnowledgeTest, ScopesForget) {
  {
    Scope scope(context);
    context.assume_less(h, 4);
    context.assume_equal(w, h);
    EXPECT_EQ(floordiv(h, 4), 0);
    EXPECT_EQ(context.equal(h, w), Truth::yes);
  }
  EXPECT_EQ(context.less(h, 4), Truth::unknown);
  EXPECT_EQ(context.equal(h, w), Truth::unknown);
  EXPECT_NE(floordiv(h, 4), 0);
}

TEST_F(KnowledgeTest, ConditionsAndTheirNegations) {
  const Condition c{Relation::less, h, w};
  Scope scope(context);
  context.assume(negation(c));
  EXPECT_EQ(context.decide(c), Truth::no);
  EXPECT_EQ(context.decide(negation(c)), Truth::yes);
  EXPECT_EQ(to_string(negation(c)), "w <= h");
  EXPECT_EQ(!Truth::unknown, Truth::unknown);
}

TEST_F(KnowledgeTest, Divisibility) {
  EXPECT_EQ(context.divisible(4 * h + 8, 4), Truth::yes);
  EXPECT_EQ(context.divisible(4 * h + 7, 4), Truth::no);
  EXPECT_EQ(context.divisible(h, 4), Truth::unknown);
  EXPECT_EQ(context.divisible(h * w, w), Truth::yes);
  EXPECT_TRUE(context.assume_divisible(h, 4));
  EXPECT_EQ(context.divisible(6 * h * w + 16, 8), Truth::yes);
  EXPECT_EQ(context.divisible(h, 8), Truth::unknown);
  EXPECT_EQ(mod(h, 2), 0);
  EXPECT_EQ(floordiv(h + 3, 4), floordiv(h, 4));
  EXPECT_EQ(context.simplify(4 * floordiv(h, 4)), h);
  EXPECT_EQ(context.equal(w * 2 * floordiv(h, 2), w * h), Truth::yes);
}

TEST_F(KnowledgeTest, DividesExactly) {
  EXPECT_EQ(context.divide_exactly(batch * 12, 12), batch);
  EXPECT_EQ(context.divide_exactly(batch * h * w, h * w), batch);
  EXPECT_EQ(context.divide_exactly(batch * h, 12), std::nullopt);
  EXPECT_EQ(context.divide_exactly(batch, 0), std::nullopt);
  context.assume_divisible(batch * h, 12 * w);
  EXPECT_EQ(context.divide_exactly(batch * h, 12 * w), floordiv(batch * h, 12 * w));
  context.assume_equal(w, 3);
  EXPECT_EQ(context.divide_exactly(batch * h, 6), floordiv(batch * h, 6));
}

TEST_F(KnowledgeTest, Remainders) {
  context.assume_divisible(h - 33, 32);
  EXPECT_EQ(context.divisible(h + 31, 32), Truth::yes);
  EXPECT_EQ(context.divisible(h, 16), Truth::no);
  EXPECT_EQ(context.divisible(h, 64), Truth::unknown);
  EXPECT_EQ(context.simplify(mod(h, 32)), 1);
  EXPECT_EQ(context.simplify(mod(h + 5, -8)), -2);
  EXPECT_EQ(floordiv(h + 5, 32), floordiv(h, 32));
  EXPECT_EQ(floordiv(h + 31, 32), floordiv(h, 32) + 1);
  EXPECT_EQ(context.simplify(32 * floordiv(h, 32)), h - 1);
}

TEST_F(KnowledgeTest, ADivisorAssumedToBeZeroHasNoValue) {
  const Expr quotient = floordiv(h, any);
  context.assume_equal(any, 0);
  const Expr simple = context.simplify(floordiv(quotient + w, 2));
  EXPECT_EQ(evaluate(simple, {{h, 1}, {w, 1}}), std::nullopt);
  EXPECT_EQ(context.equal(quotient, 0), Truth::unknown);
}

TEST_F(KnowledgeTest, ManyAssumptionsAreBounded) {
  Expr last = h;
  for (int i = 0; i < 1000; ++i) {
    const Expr next = context.symbol("s");
    context.assume_less(last, next);
    last = next;
  }
  EXPECT_EQ(context.less_equal(1, last), Truth::yes);
}

}  // namespace
}  // namespace cameo::sym
