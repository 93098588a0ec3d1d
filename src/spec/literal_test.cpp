#include "spec/literal.h"

#include <gtest/gtest.h>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

Literal parse(std::string_view text) { return parse_literal(text, "--option", Code::bad_dynamic_axes); }

std::pair<std::string, int> fault(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    const Diagnostic& d = error.diagnostics().front();
    EXPECT_EQ(d.code, Code::bad_dynamic_axes);
    EXPECT_EQ(d.script->file, "--option");
    return {d.message, d.script->column};
  }
  return {"", 0};
}

TEST(Literal, Scalars) {
  EXPECT_TRUE(parse("None").get_if<Literal::Null>());
  EXPECT_TRUE(parse(" null ").get_if<Literal::Null>());
  EXPECT_EQ(*parse("True").get_if<bool>(), true);
  EXPECT_EQ(*parse("false").get_if<bool>(), false);
  EXPECT_EQ(*parse("-12").get_if<std::int64_t>(), -12);
  EXPECT_EQ(*parse("1.5e3").get_if<double>(), 1500);
  EXPECT_EQ(*parse(R"('it\'s')").get_if<std::string>(), "it's");
}

TEST(Literal, Containers) {
  const Literal dict = parse(R"({"a": [1, 2,], 'b': (3,), 4: {}})");
  const auto& items = *dict.get_if<Literal::Dict>();
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].value.get_if<Literal::List>()->size(), 2U);
  EXPECT_EQ(items[0].value.at, 6U);
  EXPECT_EQ(items[1].value.get_if<Literal::List>()->size(), 1U);
  EXPECT_EQ(*items[2].key.get_if<std::int64_t>(), 4);
  EXPECT_TRUE(items[2].value.get_if<Literal::Dict>()->empty());
}

TEST(Literal, FaultsHaveAPlace) {
  EXPECT_EQ(fault(""), std::pair(std::string("a value is missing"), 1));
  EXPECT_EQ(fault("[1, [2, 3]"), std::pair(std::string("'[' is never closed"), 1));
  EXPECT_EQ(fault("[1 2]"), std::pair(std::string("expected ',' or ']'"), 4));
  EXPECT_EQ(fault("{1}"), std::pair(std::string("expected ':' after a key"), 3));
  EXPECT_EQ(fault("{1: }"), std::pair(std::string("expected a value"), 5));
  EXPECT_EQ(fault("[1, x y]"), std::pair(std::string("'x' is not a value"), 5));
  EXPECT_EQ(fault("99999999999999999999 1"), std::pair(std::string("nothing is expected here"), 22));
  EXPECT_EQ(fault(std::string(60, '[')), std::pair(std::string("nested too deeply"), 51));
}

}  // namespace
}  // namespace cameo
