#include "sym/expr.h"

#include <gtest/gtest.h>

#include <limits>

#include "sym/context.h"

namespace cameo::sym {
namespace {

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

struct ExprTest : testing::Test {
  Context context;
  Expr batch = context.symbol("batch");
  Expr h = context.symbol("h");
  Expr w = context.symbol("w");
};

TEST_F(ExprTest, PolynomialsAreCanonical) {
  EXPECT_EQ((h + w) * (h - w), h * h - w * w);
  EXPECT_EQ(2 * h - h - h, 0);
  EXPECT_EQ(h * batch * 3, batch * h + 2 * batch * h);
  EXPECT_EQ(pow(h + 1, 3), h * h * h + 3 * h * h + 3 * h + 1);
  EXPECT_EQ(pow(h, 0), 1);
  EXPECT_NE(h + 1, h + 2);
  EXPECT_THROW(pow(h, -1), std::domain_error);
}

TEST_F(ExprTest, ConstantsNeedNoContext) {
  EXPECT_EQ(Expr(), 0);
  EXPECT_EQ((Expr(3) * 4 - 5).as_constant(), 7);
  EXPECT_EQ(floordiv(-7, 2), -4);
  EXPECT_EQ(mod(-7, 3), 2);
  EXPECT_EQ(mod(7, -3), -2);
  EXPECT_EQ(truncdiv(-7, 2), -3);
  EXPECT_EQ(truncmod(-7, 3), -1);
  EXPECT_EQ(ceildiv(7, 2), 4);
  EXPECT_EQ(min(3, 5), 3);
  EXPECT_EQ(abs(-3), 3);
  EXPECT_EQ(Expr(kHighest) + 1, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(floordiv(std::numeric_limits<std::int64_t>::min(), -1), std::numeric_limits<std::int64_t>::min());
}

TEST_F(ExprTest, DivisionByTheConstantZeroThrows) {
  EXPECT_THROW(floordiv(h, 0), DivisionByZero);
  EXPECT_THROW(mod(h, h - h), DivisionByZero);
  EXPECT_THROW(truncdiv(1, 0), DivisionByZero);
  EXPECT_THROW(truncmod(h, 0), DivisionByZero);
}

TEST_F(ExprTest, TermsAreOrderedAndTheConstantComesLast) {
  const Expr e = 3 + 2 * h + batch * h;
  ASSERT_EQ(e.terms().size(), 3u);
  EXPECT_EQ(e.terms()[0].factors.size(), 2u);
  EXPECT_EQ(e.terms()[1].coefficient, 2);
  EXPECT_EQ(e.constant_term(), 3);
  EXPECT_EQ(h.as_atom()->symbol->name, "h");
  EXPECT_EQ(e.as_atom(), nullptr);
  EXPECT_EQ(e.context(), &context);
}

TEST_F(ExprTest, NamesOfSymbolsAreUnique) {
  const Expr other = context.symbol("h", kAnyInteger, 7);
  EXPECT_NE(other, h);
  EXPECT_EQ(to_string(other), "h_1");
  EXPECT_EQ(other.as_atom()->symbol->tag, 7u);
  EXPECT_EQ(context.find_symbol("h"), h);
  EXPECT_EQ(context.find_symbol("nobody"), std::nullopt);
}

TEST_F(ExprTest, PrintsFormulas) {
  EXPECT_EQ(to_string(2 * batch + 1), "2*batch + 1");
  EXPECT_EQ(to_string(Expr(-3)), "-3");
  EXPECT_EQ(to_string(3 - h), "3 - h");
  EXPECT_EQ(to_string(-h - 3), "-h - 3");
  EXPECT_EQ(to_string(h * h * batch - w), "batch*h^2 - w");
  EXPECT_EQ(to_string(floordiv(h - 1, 4) + 1), "floor((h + 3)/4)");
  EXPECT_EQ(to_string(floordiv(h, w + 1)), "floor(h/(w + 1))");
  EXPECT_EQ(to_string(mod(h, 4)), "mod(h, 4)");
  EXPECT_EQ(to_string(max(h, w)), "max(h, w)");
  EXPECT_EQ(to_string(truncdiv(h - w, 3)), "trunc((h - w)/3)");
  EXPECT_EQ(to_string({Relation::less, h, w + 2}), "h < w + 2");
}

TEST_F(ExprTest, LongTextIsCut) {
  Expr e = h;
  for (int i = 0; i < 1000; ++i) e = min(floordiv(e * 3 + w, 7), w);
  const std::string text = to_string(e, 100);
  EXPECT_EQ(text.size(), 100u);
  EXPECT_TRUE(text.ends_with("..."));
}

TEST_F(ExprTest, DeepExpressionsAreEvaluatedAndBounded) {
  Expr e = h;
  for (int i = 0; i < 5000; ++i) e = floordiv(e * 3 + w, 7);
  EXPECT_TRUE(evaluate(e, {{h, 100}, {w, 3}}).has_value());
  EXPECT_EQ(context.less_equal(0, e), Truth::yes);
  context.assume_less(h, w);
  context.simplify(e);
}

TEST_F(ExprTest, WhatDoesNotFitIsKeptWhole) {
  const Expr big = (h + kHighest) + 1;
  EXPECT_EQ(to_string(big), "(h + 9223372036854775807) + 1");
  EXPECT_EQ(big, 1 + (kHighest + h));
  EXPECT_EQ(evaluate(big, {{h, -5}}), kHighest - 4);
  EXPECT_EQ(evaluate(big, {{h, 5}}), std::nullopt);
  const Expr product = (h * 4) * kHighest;
  EXPECT_EQ(evaluate(product, {{h, 0}}), 0);
}

TEST_F(ExprTest, ExpansionIsLimited) {
  Expr sum = 1;
  for (int i = 0; i < 40; ++i) sum = sum + context.symbol("s");
  Expr power = pow(sum, 9);
  EXPECT_LE(power.terms().size(), kMaxTerms);
  for (int i = 0; i < 100; ++i) sum = sum + context.symbol("s");
  EXPECT_LE(sum.terms().size(), kMaxTerms);
  EXPECT_EQ(atoms_below(sum - 1).size() >= 140, true);
  EXPECT_LE(pow(h, 1000).terms().front().factors.size(), 2u);
}

TEST_F(ExprTest, Substitutes) {
  const Expr e = floordiv(h + 1, 2) * batch + mod(h, 3);
  EXPECT_EQ(substitute(e, {{h, 7}}), 4 * batch + 1);
  EXPECT_EQ(substitute(e, {{h, 6 * w - 1}}), 3 * w * batch + 2);
  EXPECT_EQ(substitute(h + w, {{h, w}, {w, h}}), h + w);
}

TEST_F(ExprTest, EvaluatesOnlyWhatIsDefined) {
  EXPECT_EQ(evaluate(h + w, {{h, 1}}), std::nullopt);
  EXPECT_EQ(evaluate(floordiv(h, w - 1), {{h, 1}, {w, 1}}), std::nullopt);
  EXPECT_EQ(evaluate(h * h, {{h, kHighest}}), std::nullopt);
  EXPECT_EQ(evaluate(Expr(5), {}), 5);
}

TEST_F(ExprTest, AtomsBelowPutsOperandsFirst) {
  const Expr inner = floordiv(h, w);
  const auto atoms = atoms_below(max(inner * 2, batch));
  ASSERT_EQ(atoms.size(), 5u);
  EXPECT_EQ(atoms.back()->kind, Kind::max);
  EXPECT_EQ(atoms[3], inner.as_atom());
}

}  // namespace
}  // namespace cameo::sym
