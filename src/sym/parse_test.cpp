#include "sym/parse.h"

#include <gtest/gtest.h>

#include "sym/context.h"
#include "sym/solve.h"

namespace cameo::sym {
namespace {

struct ParseTest : testing::Test {
  Context context;
  Expr n = context.symbol("n");
  Expr m = context.symbol("m");

  Expr parse(std::string_view text) {
    return parse_formula(text, [&](std::string_view name) { return *context.find_symbol(name); });
  }
  std::pair<std::string, std::size_t> fault(std::string_view text) {
    try {
      parse(text);
    } catch (const FormulaError& error) {
      return {error.what(), error.at()};
    }
    return {};
  }
};

TEST_F(ParseTest, Formulas) {
  EXPECT_EQ(parse("3"), 3);
  EXPECT_EQ(parse(" n "), n);
  EXPECT_EQ(parse("2*n + 1"), 2 * n + 1);
  EXPECT_EQ(parse("-n+m*n - 2"), m * n - n - 2);
  EXPECT_EQ(parse("n//2"), floordiv(n, 2));
  EXPECT_EQ(parse("n % 4 * 2"), 2 * mod(n, 4));
  EXPECT_EQ(parse("(n - 1)*(m + 1)"), (n - 1) * (m + 1));
  EXPECT_EQ(parse("n^2 + m**3"), n * n + m * m * m);
  EXPECT_EQ(parse("max(1, n, m)"), max(max(1, n), m));
  EXPECT_EQ(parse("Max(1, n)"), max(1, n));
  EXPECT_EQ(parse("Min(8, n)"), min(8, n));
}

TEST_F(ParseTest, ReadsWhatToStringWrites) {
  for (const Expr e : {2 * n - m, floordiv(n + 1, 2) - 1, mod(n, 4), truncdiv(n - m, 3), min(n, m) + 3,
                       max(n - m, 2), n * n * m, floordiv(n, m + 1), -n})
    EXPECT_EQ(parse(to_string(e)), e) << to_string(e);
}

TEST_F(ParseTest, FaultsHaveAPlace) {
  using Fault = std::pair<std::string, std::size_t>;
  EXPECT_EQ(fault("2*"), Fault("expected a size, a name or a formula", 2));
  EXPECT_EQ(fault("n + 2x"), Fault("this is neither a size nor a name", 4));
  EXPECT_EQ(fault("(n + 1"), Fault("expected ')'", 6));
  EXPECT_EQ(fault("max(n 1)"), Fault("expected ',' or ')'", 6));
  EXPECT_EQ(fault("floor(n, 2)"), Fault("expected '/'", 7));
  EXPECT_EQ(fault("sin(n)"), Fault("the functions of sizes are min, max, mod and floor", 0));
  EXPECT_EQ(fault("n // (1 - 1)"), Fault("division by zero", 5));
  EXPECT_EQ(fault("n^m"), Fault("an exponent is a number from 0 to 32", 2));
  EXPECT_EQ(fault("n m"), Fault("this is not understood", 2));
  EXPECT_EQ(fault("99999999999999999999"), Fault("this is neither a size nor a name", 0));
  EXPECT_EQ(fault(std::string(60, '(')), Fault("nested too deeply", 50));
}

TEST_F(ParseTest, StopsAfterTheFormula) {
  const auto [value, end] =
      parse_formula("[n + 1, 3]", 1, [&](std::string_view name) { return *context.find_symbol(name); });
  EXPECT_EQ(value, n + 1);
  EXPECT_EQ(end, 6U);
}

TEST_F(ParseTest, Solve) {
  const Expr size = context.symbol("size");
  EXPECT_EQ(solve(2 * n + 1, n, size), floordiv(size - 1, 2));
  EXPECT_EQ(solve(n - 3, n, size), size + 3);
  EXPECT_EQ(solve(5 - n, n, 2), 3);
  EXPECT_EQ(solve(n * m + m, n, size), floordiv(size - m, m));
  EXPECT_EQ(solve(n * n, n, size), std::nullopt);
  EXPECT_EQ(solve(floordiv(n, 2), n, size), std::nullopt);
  EXPECT_EQ(solve(n + floordiv(n, 2), n, size), std::nullopt);
  EXPECT_EQ(solve(m, n, size), std::nullopt);
  EXPECT_EQ(solve(3, n, size), std::nullopt);
}

TEST_F(ParseTest, SolvesWithoutDivisionByZero) {
  const Expr k = context.symbol("k", {0, std::nullopt});
  const Expr size = context.symbol("size");
  EXPECT_EQ(evaluate(*solve(n * k, n, size), {{k, 3}, {size, 12}}), 4);
  EXPECT_TRUE(evaluate(*solve(n * k, n, size), {{k, 0}, {size, 0}}));
  EXPECT_EQ(evaluate(*solve(7 - n * k, n, size), {{k, 3}, {size, 1}}), 2);
}

}  // namespace
}  // namespace cameo::sym
