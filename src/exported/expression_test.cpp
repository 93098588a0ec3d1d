#include "exported/expression.h"

#include <gtest/gtest.h>

#include "exported/testing.h"

namespace cameo::exported {
namespace {

using testing::error_of;

std::string parsed(std::string_view text) { return to_string(parse_expression(text)); }
std::string refused(std::string_view text) {
  return error_of([&] { parse_expression(text); });
}

TEST(Expression, StrForm) {
  EXPECT_EQ(parsed("s0"), "s0");
  EXPECT_EQ(parsed("2*s0 + 1"), "Add(Mul(2, s0), 1)");
  EXPECT_EQ(parsed("s0 - s1 - 3"), "Add(s0, Mul(-1, s1), Mul(-1, 3))");
  EXPECT_EQ(parsed("-s0"), "Mul(-1, s0)");
  EXPECT_EQ(parsed("-3"), "-3");
  EXPECT_EQ(parsed("s0**2"), "Pow(s0, 2)");
  EXPECT_EQ(parsed("-s0**2"), "Mul(-1, Pow(s0, 2))");
  EXPECT_EQ(parsed("-2**s0"), "Mul(-1, Pow(2, s0))");
  EXPECT_EQ(parsed("2**-1"), "Pow(2, -1)");
  EXPECT_EQ(parsed("(s0//2)"), "FloorDiv(s0, 2)");
  EXPECT_EQ(parsed("((s0 + 1)//2)*s1"), "Mul(FloorDiv(Add(s0, 1), 2), s1)");
  EXPECT_EQ(parsed("s0//2//3"), "FloorDiv(FloorDiv(s0, 2), 3)");
  EXPECT_EQ(parsed("s0 % 8"), "PythonMod(s0, 8)");
  EXPECT_EQ(parsed("Mod(s0, 4)"), "Mod(s0, 4)");
  EXPECT_EQ(parsed("floor(s0/2)"), "floor(Mul(s0, Pow(2, -1)))");
  EXPECT_EQ(parsed("Max(1, s0, u3)"), "Max(1, s0, u3)");
  EXPECT_EQ(parsed("0.5*zuf0"), "Mul(0.5, zuf0)");
  EXPECT_EQ(parsed("-0.5"), "-0.5");
  EXPECT_EQ(parsed("-int_oo"), "Mul(-1, int_oo)");
}

TEST(Expression, Relations) {
  EXPECT_EQ(parsed("s0 >= 2"), "Ge(s0, 2)");
  EXPECT_EQ(parsed("s0 < 2"), "Lt(s0, 2)");
  EXPECT_EQ(parsed("s0 == s1"), "Eq(s0, s1)");
  EXPECT_EQ(parsed("Eq(s0, 4)"), "Eq(s0, 4)");
  EXPECT_EQ(parsed("Ne(s0, 4)"), "Ne(s0, 4)");
  EXPECT_EQ(parsed("(s0 > 1) & (s1 <= 2) & ~(Eq(s0, 3)) | False"),
            "Or(And(Gt(s0, 1), Le(s1, 2), Not(Eq(s0, 3))), False)");
}

TEST(Expression, SreprForm) {
  EXPECT_EQ(parsed("Symbol('s77', integer=True, positive=True)"), "s77");
  EXPECT_EQ(parsed("Add(Mul(Integer(2), Symbol('s77', integer=True, positive=True)), Integer(-1))"),
            "Add(Mul(2, s77), -1)");
  EXPECT_EQ(parsed("Pow(Symbol('u0', integer=True), Integer(-1))"), "Pow(u0, -1)");
  EXPECT_EQ(parsed("Mul(Rational(1, 2), Symbol('s0'))"), "Mul(Mul(1, Pow(2, -1)), s0)");
  EXPECT_EQ(parsed("Float('0.5', precision=53)"), "0.5");
  EXPECT_EQ(parsed("Equality(Symbol('a'), Integer(1))"), "Eq(a, 1)");
  EXPECT_EQ(parsed("And(GreaterThan(Symbol('a'), Integer(1)), StrictLessThan(Symbol(\"a\"), Integer(9)))"),
            "And(Ge(a, 1), Lt(a, 9))");
  EXPECT_EQ(parsed("Unequality(LessThan(Integer(1), Integer(2)), StrictGreaterThan(Integer(1), Integer(2)))"),
            "Ne(Le(1, 2), Gt(1, 2))");
  EXPECT_EQ(parsed("IntInfinity()"), "int_oo");
  EXPECT_EQ(parsed("NegativeIntInfinity()"), "Mul(-1, int_oo)");
  EXPECT_EQ(parsed("ModularIndexing(Symbol('a'), Integer(2), Integer(3))"), "ModularIndexing(a, 2, 3)");
  EXPECT_EQ(parsed("Integer(-9223372036854775808)"), "-9223372036854775808");
  EXPECT_EQ(parse_expression("true").kind, Expression::Kind::symbol);
  EXPECT_EQ(parse_expression("True").kind, Expression::Kind::boolean);
}

TEST(Expression, BothFormsAreEqual) {
  EXPECT_EQ(parse_expression("Add(Integer(1), Mul(Integer(2), Symbol('s0')))"), parse_expression("1 + 2*s0"));
}

TEST(Expression, RefusesOtherText) {
  const auto message = [](std::string_view text, std::string_view why) {
    return fmt::format("the symbolic expression '{}' cannot be read: {} [bad-exported-program]", text, why);
  };
  EXPECT_EQ(refused(""), message("", "it ends in the middle"));
  EXPECT_EQ(refused("s0 +"), message("s0 +", "it ends in the middle"));
  EXPECT_EQ(refused("s0 s1"), message("s0 s1", "more text follows"));
  EXPECT_EQ(refused("(s0"), message("(s0", "')' was expected"));
  EXPECT_EQ(refused("Max(s0"), message("Max(s0", "')' was expected"));
  EXPECT_EQ(refused("s0 + ?"), message("s0 + ?", "a value was expected"));
  EXPECT_EQ(refused("Symbol('s0)"), message("Symbol('s0)", "a string has no end"));
  EXPECT_EQ(refused("Symbol()"), message("Symbol()", "a symbol has no name"));
  EXPECT_EQ(refused("Max('a')"), message("Max('a')", "Max has a string as an argument"));
  EXPECT_EQ(refused("Float('x')"), message("Float('x')", "a number cannot be read"));
  EXPECT_EQ(refused("9223372036854775808"),
            message("9223372036854775808", "an integer does not fit in 64 bits"));
  EXPECT_EQ(refused("1\n"), message("1\\x0a", "more text follows"));
}

TEST(Expression, LimitsTheDepth) {
  const std::string deep = std::string(1000, '(') + "a" + std::string(1000, ')');
  EXPECT_EQ(refused(deep),
            fmt::format("the symbolic expression '{}' cannot be read: it is nested too deeply (limit 200) "
                        "[bad-exported-program]",
                        std::string(200, '(')));
  std::string chain = "a";
  for (int i = 0; i < 17; ++i) chain += "//2";
  EXPECT_EQ(refused(chain),
            fmt::format("the symbolic expression '{}' cannot be read: it has more than 16 divisions in "
                        "a row [bad-exported-program]",
                        chain));
  std::string sum = "a";
  for (int i = 0; i < 100'000; ++i) sum += "+a";
  EXPECT_EQ(parse_expression(sum).args.size(), 100'001U);
}

}  // namespace
}  // namespace cameo::exported
