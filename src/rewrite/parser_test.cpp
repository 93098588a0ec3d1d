#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cameo/format.h"
#include "rewrite/rules.h"
#include "rewrite/select.h"

namespace cameo::rewrite {
namespace {

using ::testing::HasSubstr;

// The errors of a rules file, as they are shown.
std::string fault(std::string text) {
  try {
    parse("my.rules", std::move(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::bad_rewrite);
    return format(error.diagnostics());
  }
  return "none";
}

const Rule& only(const std::unique_ptr<const RuleFile>& file) {
  EXPECT_EQ(file->rules.size(), 1U);
  return file->rules.front();
}

TEST(RulesFile, HasRulesWithPlacesAndConditions) {
  const auto file = parse("my.rules", R"(# a comment
rule gelu.v2-fast
  at operator "aten::gelu" in module "backbone.*"
  in file "models/head.py:12-30" in class "models.Head"
  when opset < 20 and target == "tensorrt"
    and dtype(self) == f32
  when rank(self) == 4
  priority -3
  replace (self, approximate) -> (y: like self) { y = mmdeploy.Gelu(self) }
)");
  const Rule& rule = only(file);
  EXPECT_EQ(rule.name, "gelu.v2-fast");
  EXPECT_EQ(rule.position().line, 2);
  EXPECT_EQ(rule.priority, -3);
  EXPECT_EQ(rule.place.kind, Kind::op);
  EXPECT_FALSE(rule.place.after);
  EXPECT_EQ(rule.place.pattern.text, "aten::gelu");
  ASSERT_EQ(rule.scopes.size(), 3U);
  EXPECT_EQ(rule.scopes[0].pattern.text, "backbone.*");
  EXPECT_EQ(rule.scopes[1].pattern.text, "models/head.py");
  EXPECT_EQ(rule.scopes[1].first_line, 12);
  EXPECT_EQ(rule.scopes[1].last_line, 30);
  EXPECT_EQ(rule.scopes[2].kind, Kind::cls);
  EXPECT_EQ(rule.conditions.size(), 4U);
}

TEST(RulesFile, HasNodes) {
  const auto file = parse(
      "my.rules", R"(rule r after module "head" replace (x, n) -> (a: f32[?, 3, batch, size(x, -1)], b) {
  a, _: dtype(x)[] = com.microsoft.Op <axis: int = -1, modes = ["u", 'v'], w = @n, f = 1.5e-3, l = [1, 2]> (x, , $conv.weight)
  b = ai.onnx.Clip(a, -0.5, [1, 2.0])
})");
  const auto& nodes = std::get<Nodes>(only(file).replacement);
  ASSERT_EQ(nodes.results.size(), 2U);
  ASSERT_TRUE(nodes.results[0].type);
  EXPECT_EQ(nodes.results[0].type->dtype, ElementType::f32);
  ASSERT_EQ(nodes.results[0].type->sizes->size(), 4U);
  EXPECT_TRUE(std::holds_alternative<Unspecified>((*nodes.results[0].type->sizes)[0]));
  EXPECT_EQ(std::get<std::int64_t>((*nodes.results[0].type->sizes)[1]), 3);
  EXPECT_EQ(std::get<NameOf>((*nodes.results[0].type->sizes)[2]).name, "batch");
  EXPECT_EQ(std::get<SizeOf>((*nodes.results[0].type->sizes)[3]).axis, -1);
  ASSERT_EQ(nodes.nodes.size(), 2U);
  const NodeLine& first = nodes.nodes[0];
  EXPECT_EQ(first.type, "com.microsoft::Op");
  ASSERT_EQ(first.outputs.size(), 2U);
  EXPECT_EQ(first.outputs[1].name, "");
  EXPECT_EQ(first.outputs[1].type->dtype_of, "x");
  ASSERT_EQ(first.attributes.size(), 5U);
  EXPECT_EQ(std::get<std::int64_t>(std::get<Number>(first.attributes[0].value).value), -1);
  EXPECT_EQ(std::get<std::vector<std::string>>(first.attributes[1].value)[1], "v");
  EXPECT_EQ(std::get<NameOf>(first.attributes[2].value).name, "n");
  EXPECT_EQ(std::get<double>(std::get<Number>(first.attributes[3].value).value), 1.5e-3);
  EXPECT_EQ(std::get<Numbers>(first.attributes[4].value).items.size(), 2U);
  ASSERT_EQ(first.inputs.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Omitted>(first.inputs[1].value));
  EXPECT_EQ(std::get<WeightOf>(first.inputs[2].value).path, "conv.weight");
  EXPECT_EQ(nodes.weights.size(), 1U);
  EXPECT_EQ(nodes.nodes[1].type, "Clip");
  EXPECT_EQ(std::get<double>(std::get<Number>(nodes.nodes[1].inputs[1].value).value), -0.5);
}

TEST(RulesFile, HasTorchScript) {
  for (const char* body : {"{ def f(self, x: List[Tensor]) -> List[Tensor]: return origin(self, x)[1:] }",
                           "{\n  def helper(x):\n    return x # }\n  def f(self, x):\n    y = {\"a\": x}\n   "
                           " return y[\"a\"]\n}\n",
                           "{ def f(self, x):\n      if True:\n        return x\n      return x\n  }"}) {
    const auto file = parse("my.rules", std::string("rule r\n  at method \"A.forward\"\n  replace ") + body);
    EXPECT_EQ(std::get<Functions>(only(file).replacement).file.functions.back().name, "f") << body;
  }
}

TEST(RulesFile, MayHaveNoRules) {
  for (const char* text : {"# none", "\n# none\n", " "}) EXPECT_TRUE(parse("my.rules", text)->rules.empty());
}

TEST(RulesFile, ShowsFaultsLikeACompiler) {
  EXPECT_EQ(
      fault("rule r\n  at operetor \"aten::gelu\"\n"),
      "my.rules: error: [convert] expected 'operator', 'module', 'class', 'method', 'function' or 'value', "
      "found 'operetor' [bad-rewrite]\n"
      "  in my.rules:2:6\n"
      "      2 |   at operetor \"aten::gelu\"\n"
      "        |      ^~~~~~~~\n");
  EXPECT_THAT(fault("rule r at module \"a\" replace { def f(self, x):\n    return self.( x }"),
              HasSubstr("in my.rules:2:17\n      2 |     return self.( x }\n        |                 ^"));
  EXPECT_THAT(fault("rule r\n at module \"a\"\n when opset <\n replace (x) -> (x) { }"),
              HasSubstr("in my.rules:3:"));
}

TEST(RulesFile, RejectsWhatIsNotARule) {
  const std::string place = "rule r at module \"a\" ";
  const std::pair<std::string, std::string> faults[] = {
      {"rule", "expected the name of the rule"},
      {"when", "expected 'rule', found 'when'"},
      {"rule r replace (x) -> (x) { }", "does not say where it applies"},
      {place, "has no replacement"},
      {place + "at module \"b\"", "has two places"},
      {place + "replace (x) -> (x) { } replace (x) -> (x) { }", "has two replacements"},
      {place + "when\n replace (x) -> (x) { }", "expected a condition"},
      {place + "replace (x) -> (y) { y = Relu(z) }",
       "'z' is neither an argument nor the output of a node before"},
      {place + "replace (x) -> (y) { x = Relu(x) }", "'x' is defined twice"},
      {place + "replace (x) -> (y: like z) { y = Relu(x) }", "'z' is neither an argument"},
      {place + "replace (x) -> (y: float33) { y = Relu(x) }", "'float33' is not an element type"},
      {place + "replace (x) -> () { }", "needs at least one result"},
      {place + "replace (x) -> (y) { y = Relu(x)", "found the end of the file"},
      {place + "replace (x) -> (y) { y = Relu<a = >(x) }", "expected a number, found '>'"},
      {place + "replace (x) -> (y) { y = Relu($) }", "expected the path of a parameter after '$'"},
      {place + "replace (x) -> (y) { y = Relu(1.2.3) }", "expected ')' or ',' after the input"},
      {place + "replace { x }", "expected 'def'"},
      {place + "replace { def f(x): return x", "this '{' has no '}'"},
      {place + "replace converter \"a::b\"", "a converter can only replace the call of an operator"},
      {place + "in file \"a.py:9-3\" replace (x) -> (x) { }", "'9-3' is not a line or a range of lines"},
      {"rule r at value \"v\" replace (x) -> (x) { }", "a value is not replaced"},
      {"rule r at operator \"\" replace (x) -> (x) { }", "this name is empty"},
      {"rule r at operator \"a", "this string has no end"},
      {"rule r at operator `", "unexpected character '`'"},
      {"rule r at operator \x01", "unexpected byte 0x01"},
      {"rule r priority x", "expected the priority, which is an integer, found 'x'"},
      {"rule r priority 1.5", "'1.5' is not an integer"},
  };
  for (const auto& [text, message] : faults) EXPECT_THAT(fault(text), HasSubstr(message)) << text;
}

TEST(RulesFile, NamesAreUnique) {
  const std::string rule = "rule r at module \"a\" replace (x) -> (x) { }\n";
  RuleSet rules;
  rules.add(parse("a.rules", rule));
  try {
    rules.add(parse("b.rules", rule));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "two rules are named 'r'");
    EXPECT_EQ(error.diagnostics().front().hint, "the other one is in a.rules:1");
  }
}

// The name of the rule that is chosen among rules at the operator "aten::gelu"; "tie" if there is none.
std::string chosen(const std::vector<std::string>& heads) {
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i)
    text += "rule r" + std::to_string(i) + " " + heads[i] + "\n replace (self) -> (self) { }\n";
  const auto file = parse("my.rules", text);
  std::vector<const Rule*> rules;
  for (const Rule& rule : file->rules) rules.push_back(&rule);
  try {
    return std::string(most_specific(rules, "aten::gelu")->name);
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().code, Code::ambiguous_rewrite);
    return "tie";
  }
}

TEST(Select, TakesTheMoreSpecificRule) {
  EXPECT_EQ(chosen({"at operator \"aten::*\"", "at operator \"aten::gelu\""}), "r1");
  EXPECT_EQ(chosen({"at operator \"aten::ge*\"", "at operator \"aten::*\""}), "r0");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\"", "at operator \"aten::gelu\" in module \"a.*\""}), "r1");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\" in module \"a.b\"",
                    "at operator \"aten::gelu\" in module \"a.*\""}),
            "r0");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\"", "at operator \"aten::gelu\"\n when opset < 20"}), "r1");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\" in file \"a.py\"",
                    "at operator \"aten::gelu\" in file \"a.py:3\""}),
            "r1");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\"", "at operator \"aten::gelu\""}), "tie");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\"", "at operator \"aten::*\" in module \"a\""}), "tie");
  EXPECT_EQ(chosen({"at operator \"aten::gelu\"", "priority 1\n at operator \"aten::*\""}), "r1");
}

}  // namespace
}  // namespace cameo::rewrite
