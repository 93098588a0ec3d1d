// Replacements: nodes, TorchScript, a converter.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "rewrite/parser.h"
#include "script/lexer.h"
#include "script/parse.h"
#include "spec/meant_input.h"

namespace cameo::rewrite {

void Parser::replacement(Rule& rule) {
  if (accept("converter")) {
    ConverterOf converter{{}, token().range};
    converter.name = string("the name of the converter's operator in quotes");
    rule.replacement = std::move(converter);
  } else if (at("{")) {
    rule.replacement = functions();
  } else if (at("(")) {
    rule.replacement = nodes();
  } else {
    fail_expected("'(', '{' or 'converter'");
  }
}

// TorchScript between braces: def f(self, x): …
Functions Parser::functions() {
  const Token open = take();
  if (!at("def")) fail_expected("'def', or the arguments before '{', as in (x) -> (y)");
  const std::string_view text = file_.text;
  const Range first = token().range;
  // Functions that begin on the line of the brace are indented like this line.
  const bool same_line = !token().begins_line;
  const std::size_t line = text.rfind('\n', same_line ? open.range.begin : first.begin) + 1;
  const std::size_t word = text.find_first_not_of(" \t", line);
  const auto indentation = static_cast<std::uint32_t>((same_line ? word : first.begin) - line);
  std::size_t depth = 1;
  std::uint32_t end = first.end;
  for (; depth > 0; end = take().range.begin) {
    if (at(Token::Kind::end)) fail(file_, open.range, "this '{' has no '}'");
    if (at("{")) ++depth;
    if (at("}")) --depth;
  }
  const Range part{same_line ? first.begin : static_cast<std::uint32_t>(line) - 1, end};
  try {
    return {script::parse_functions(file_.name, text, part, indentation)};
  } catch (const Error& error) {
    Diagnostic d = error.diagnostics().front();
    throw Error(
        Diagnostic{.code = Code::bad_rewrite, .message = d.message, .file = file_.name, .script = d.script});
  }
}

Nodes Parser::nodes() {
  Nodes out;
  out.parameters = parameters();
  expect("->", "between the arguments and the results");
  out.results = results();
  expect("{", "before the nodes");
  while (!accept("}")) out.nodes.push_back(node());
  check_names(out);
  return out;
}

std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> out;
  expect("(", "before the arguments");
  while (!accept(")")) {
    const Token name = expect(Token::Kind::name, "the name of an argument");
    out.push_back({name.range, name.text});
    if (!at(")")) expect(",", "or ')' after the argument");
  }
  return out;
}

std::vector<Result> Parser::results() {
  std::vector<Result> out;
  expect("(", "before the results");
  while (!accept(")")) {
    const Token name = expect(Token::Kind::name, "the name of a result");
    Result& result = out.emplace_back(Result{name.range, name.text, std::nullopt});
    if (accept(":")) result.type = type();
    if (!at(")")) expect(",", "or ')' after the result");
  }
  if (out.empty()) fail(file_, tokens_[at_ - 1].range, "a replacement needs at least one result");
  return out;
}

DeclaredType Parser::type() {
  DeclaredType type;
  type.range = token().range;
  const Token word = expect(Token::Kind::name, "a type such as 'f32[n, 3]', or 'like' and an argument");
  if (word.text == "like") {
    type.like = expect(Token::Kind::name, "the argument whose type it is").text;
    type.range.end = tokens_[at_ - 1].range.end;
    return type;
  }
  if (word.text == "dtype") {
    expect("(", "after 'dtype'");
    type.dtype_of = expect(Token::Kind::name, "the argument whose element type it is").text;
    expect(")", "after the argument");
  } else if (const std::optional<ElementType> element = element_type(word.text)) {
    type.dtype = *element;
  } else {
    fail(file_, word.range, fmt::format("'{}' is not an element type", word.text),
         "f32, f16, bf16, f64, i64, i32, i8, u8 and bool are some");
  }
  if (accept("[")) {
    type.sizes.emplace();
    while (!accept("]")) {
      type.sizes->push_back(size());
      if (!at("]")) expect(",", "or ']' after the size");
    }
  }
  type.range.end = tokens_[at_ - 1].range.end;
  return type;
}

DeclaredSize Parser::size() {
  if (accept("?")) return Unspecified{};
  if (at(Token::Kind::number)) return integer("a size");
  const Token name = expect(Token::Kind::name, "a size: a number, a name, '?' or size(x, 0)");
  if (name.text != "size") return NameOf{name.text};
  expect("(", "after 'size'");
  const std::string_view of = expect(Token::Kind::name, "the name of an argument").text;
  expect(",", "before the axis");
  const std::int64_t axis = integer("an axis");
  expect(")", "after the axis");
  return SizeOf{of, axis};
}

NodeLine Parser::node() {
  NodeLine line;
  line.range = token().range;
  do {
    const Token name = expect(Token::Kind::name, "a node, such as y = Relu(x), or '}'");
    const std::string_view text = name.text == "_" ? std::string_view() : name.text;
    Result& output = line.outputs.emplace_back(Result{name.range, text, std::nullopt});
    if (accept(":")) output.type = type();
  } while (accept(","));
  expect("=", "after the outputs of the node");
  line.type = node_type();
  if (accept("<"))
    while (!accept(">")) {
      line.attributes.push_back(attribute());
      if (!at(">")) expect(",", "or '>' after the attribute");
    }
  expect("(", "before the inputs of the node");
  if (!accept(")")) {
    do line.inputs.push_back(input());
    while (accept(","));
    expect(")", "or ',' after the input");
  }
  line.range.end = tokens_[at_ - 1].range.end;
  return line;
}

// mmdeploy.Gelu, com.microsoft.Gelu, com.microsoft::Gelu.
std::string Parser::node_type() {
  std::string domain;
  std::string_view word = expect(Token::Kind::name, "the operator of the node").text;
  while (true) {
    const bool colons = at(":");
    if (!colons && !at(".")) break;
    take();
    if (colons) expect(":", "after ':'");
    domain += fmt::format("{}{}", domain.empty() ? "" : ".", word);
    word = expect(Token::Kind::name, "the operator of the node").text;
  }
  return domain.empty() || domain == "ai.onnx" ? std::string(word) : fmt::format("{}::{}", domain, word);
}

// axis = 1, axis: int = 1, modes = ["a", "b"], axis = @dim.
Attribute Parser::attribute() {
  const Token name = expect(Token::Kind::name, "the name of an attribute");
  Attribute out{name.range, name.text, NameOf{}};
  if (accept(":")) {
    expect(Token::Kind::name, "the type of the attribute");
    while (accept("[") || accept("]")) {
    }
  }
  expect("=", "after the attribute's name");
  if (accept("@")) {
    out.value = NameOf{expect(Token::Kind::name, "the name of an argument after '@'").text};
  } else if (at(Token::Kind::string)) {
    out.value = string("a string");
  } else if (accept("[")) {
    if (!at(Token::Kind::string)) {
      out.value = numbers("]");
      return out;
    }
    std::vector<std::string> texts;
    do texts.push_back(string("a string"));
    while (accept(","));
    expect("]", "after the strings");
    out.value = std::move(texts);
  } else {
    out.value = number();
  }
  return out;
}

Input Parser::input() {
  Input out{token().range, Omitted{}};
  if (at(",") || at(")")) return out;
  if (at(Token::Kind::weight)) {
    out.value = WeightOf{take().text};
  } else if (accept("[")) {
    out.value = numbers("]");
  } else if (at(Token::Kind::number) || at("-") || at("+") || at("true") || at("false") || at("True") ||
             at("False") || at("inf")) {
    out.value = number();
  } else {
    out.value = NameOf{expect(Token::Kind::name, "an input: a name, a number, a list or $parameter").text};
  }
  out.range.end = tokens_[at_ - 1].range.end;
  return out;
}

Number Parser::number() {
  const double sign = accept("-") ? -1 : (accept("+"), 1);
  if (accept("true") || accept("True")) return {true};
  if (accept("false") || accept("False")) return {false};
  if (accept("inf")) return {sign * std::numeric_limits<double>::infinity()};
  const Token token = expect(Token::Kind::number, "a number");
  const char *begin = token.text.data(), *end = begin + token.text.size();
  std::int64_t whole = 0;
  if (const auto [stop, fault] = std::from_chars(begin, end, whole); fault == std::errc() && stop == end)
    return {sign < 0 ? -whole : whole};
  double real = 0;
  const auto [stop, fault] = std::from_chars(begin, end, real);
  if (fault != std::errc() || stop != end)
    fail(file_, token.range, fmt::format("'{}' is not a number", token.text));
  return {sign * real};
}

Numbers Parser::numbers(std::string_view close) {
  Numbers out;
  while (!accept(close)) {
    out.items.push_back(number());
    if (!at(close)) expect(",", fmt::format("or '{}' after the number", close));
  }
  return out;
}

namespace {

void check_known(const RuleFile& file, const std::vector<std::string_view>& known, std::string_view name,
                 Range range) {
  if (std::ranges::find(known, name) != known.end()) return;
  fail(file, range, fmt::format("'{}' is neither an argument nor the output of a node before", name));
}

}  // namespace

void Parser::check_names(Nodes& nodes) const {
  std::vector<std::string_view> known, arguments;
  const auto define = [&](std::string_view name, Range range) {
    if (std::ranges::find(known, name) != known.end())
      fail(file_, range, fmt::format("'{}' is defined twice", name));
    known.push_back(name);
  };
  for (const Parameter& parameter : nodes.parameters) define(parameter.name, parameter.range);
  arguments = known;
  const auto check_type = [&](const Result& result) {
    if (!result.type) return;
    for (const std::string_view name : {result.type->like, result.type->dtype_of})
      if (!name.empty()) check_known(file_, arguments, name, result.type->range);
  };
  for (const NodeLine& node : nodes.nodes) {
    for (const Input& input : node.inputs) {
      if (const auto* name = std::get_if<NameOf>(&input.value))
        check_known(file_, known, name->name, input.range);
      if (const auto* weight = std::get_if<WeightOf>(&input.value))
        if (std::ranges::find(nodes.weights, weight->path) == nodes.weights.end())
          nodes.weights.push_back(weight->path);
    }
    for (const Attribute& attribute : node.attributes)
      if (const auto* name = std::get_if<NameOf>(&attribute.value))
        check_known(file_, arguments, name->name, attribute.range);
    for (const Result& output : node.outputs) {
      if (!output.name.empty()) define(output.name, output.range);
      check_type(output);
    }
  }
  for (const Result& result : nodes.results) {
    check_known(file_, known, result.name, result.range);
    check_type(result);
  }
}

}  // namespace cameo::rewrite
