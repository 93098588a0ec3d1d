#include <gtest/gtest.h>

#include "cameo/diagnostic.h"
#include "script/parse.h"

namespace cameo::script {
namespace {

Range part_between(std::string_view text, char open, char close) {
  return {static_cast<std::uint32_t>(text.find(open) + 1), static_cast<std::uint32_t>(text.rfind(close))};
}

TEST(ParsePart, FunctionsThatAreIndented) {
  const std::string_view text =
      "before {\n    def f(x):\n      return x\n    def g(x):\n        return f(x)\n  } after";
  const SourceFile file = parse_functions("a", text, part_between(text, '{', '}'), 4);
  ASSERT_EQ(file.functions.size(), 2U);
  EXPECT_EQ(file.functions[1].name, "g");
  EXPECT_EQ(text.substr(file.functions[0].range.begin, 5), "def f");
}

TEST(ParsePart, ExpressionsWithSeveralLines) {
  const std::string_view text = "[a +\n b\n]";
  EXPECT_TRUE(parse_expression("a", text, part_between(text, '[', ']'))->get_if<Binary>());
}

TEST(ParsePart, FaultsHaveTheirPlaceInTheWholeText) {
  const std::string_view text = "one\ntwo [a + ]";
  try {
    parse_expression("a", text, part_between(text, '[', ']'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().script->line, 2);
    EXPECT_EQ(error.diagnostics().front().script->text, "two [a + ]");
  }
}

}  // namespace
}  // namespace cameo::script
