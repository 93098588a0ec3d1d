#include "aten/custom/schema.h"

#include <gtest/gtest.h>

#include "cameo/converter.h"
#include "cameo/diagnostic.h"

namespace cameo::aten {
namespace {

std::string refusal(std::string_view text) {
  try {
    read_schema(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::bad_schema);
    return error.what();
  }
  return "none";
}

TEST(Schema, IsRead) {
  const Schema schema =
      read_schema("mylib::op.two(Tensor? x, int[2] k=[1, 2], *, str s='a b') -> (Tensor, int n)");
  EXPECT_EQ(schema.name, "mylib::op");
  EXPECT_EQ(schema.overload, "two");
  ASSERT_EQ(schema.count, 3U);
  EXPECT_TRUE(schema.params[1].sized_list);
  EXPECT_TRUE(schema.params[2].keyword_only);
  EXPECT_EQ(schema.return_count, 2U);
}

TEST(Schema, ThatCannotBeReadIsRefused) {
  const std::string expected = "expected name(parameters) -> returns";
  for (const char* text : {"", "op", " -> Tensor", "a::b(Tensor x)", "a::b -> Tensor(", ") -> x("})
    EXPECT_EQ(refusal(text), "the schema '" + std::string(text) + "' cannot be read: " + expected);
  auto ends_with = [](const char* text, const std::string& why) {
    EXPECT_EQ(refusal(text), "the schema '" + std::string(text) + "' cannot be read: " + why);
  };
  ends_with("op(Tensor x) -> Tensor", "the name needs a namespace");
  ends_with("::op(Tensor x) -> Tensor", "the name needs a namespace");
  ends_with("a::b(x) -> Tensor", "a parameter needs a type and a name");
  ends_with("a::b(Dict x) -> Tensor", "'Dict' is not a type that a converter can take");
  ends_with("a::b(Tensor x) -> str", "'str' is not a type that a converter can return");
  ends_with("a::b(int x=one) -> Tensor", "'one' is no value that 'x' could have");
  ends_with("a::b(int[] x=[1, one]) -> Tensor", "'[1, one]' is no value that 'x' could have");
  ends_with("a::b(Tensor(a!) x) -> Tensor",
            "only an operator whose name ends in '_' may write to its arguments");
  ends_with("a::b(Tensor x) -> int[]", "a list can only be returned alone, and of tensors");
}

TEST(Registry, RefusesBadSchemas) {
  cameo::Registry registry;
  EXPECT_THROW(registry.add("nonsense", [](Conversion&) { return Results(); }), Error);
  EXPECT_TRUE(registry.entries().empty());
}

}  // namespace
}  // namespace cameo::aten
