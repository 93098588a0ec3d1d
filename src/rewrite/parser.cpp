#include "rewrite/parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "script/lexer.h"
#include "script/parse.h"

namespace cameo::rewrite {
namespace {

constexpr std::string_view kClauses[] = {"rule", "priority", "at", "after", "in", "when", "replace"};

struct KindName {
  std::string_view word;
  Kind kind;
};
constexpr KindName kPlaces[] = {{"operator", Kind::op},       {"module", Kind::module},
                                {"class", Kind::cls},         {"method", Kind::method},
                                {"function", Kind::function}, {"value", Kind::value}};

// Moves the terms of `a and b and c` to `out`.
void split(script::ExprPtr expr, std::vector<script::ExprPtr>& out) {
  auto* binary = std::get_if<script::Binary>(&expr->node);
  if (!binary || binary->op != script::BinaryOp::logical_and) return out.push_back(std::move(expr));
  split(std::move(binary->left), out);
  split(std::move(binary->right), out);
}

}  // namespace

bool Parser::at(std::string_view text) const {
  return (at(Token::Kind::symbol) || at(Token::Kind::name)) && token().text == text;
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

void Parser::fail_expected(std::string_view what) const {
  const std::string found =
      at(Token::Kind::end) ? "the end of the file" : fmt::format("'{}'", token().text.substr(0, 40));
  fail(file_, token().range, fmt::format("expected {}, found {}", what, found));
}

Token Parser::expect(Token::Kind kind, std::string_view what) {
  if (!at(kind)) fail_expected(what);
  return take();
}

void Parser::expect(std::string_view symbol, std::string_view where) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}' {}", symbol, where));
}

std::string Parser::string(std::string_view what) {
  return script::string_value(expect(Token::Kind::string, what).text);
}

std::int64_t Parser::integer(std::string_view what) {
  const bool negative = accept("-");
  const Token token = expect(Token::Kind::number, what);
  std::int64_t value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, fault] = std::from_chars(token.text.data(), end, value);
  if (fault != std::errc() || stop != end)
    fail(file_, token.range, fmt::format("'{}' is not an integer", token.text));
  return negative ? -value : value;
}

void Parser::parse() {
  while (!at(Token::Kind::end)) {
    if (!at("rule")) fail_expected("'rule'");
    file_.rules.push_back(rule());
  }
  for (Rule& rule : file_.rules) rule.file = &file_;
}

void Parser::rule_name(Rule& rule) {
  rule.range = token().range;
  const auto part = [this] { return at(Token::Kind::name) || at(Token::Kind::number) || at("-") || at("."); };
  if (!at(Token::Kind::name)) fail_expected("the name of the rule");
  take();
  while (part() && token().range.begin == rule.range.end) rule.range.end = take().range.end;
  rule.name = std::string_view(file_.text).substr(rule.range.begin, rule.range.end - rule.range.begin);
}

Rule Parser::rule() {
  Rule rule;
  rule.file = &file_;
  take();
  rule_name(rule);
  bool placed = false, replaced = false;
  while (!at(Token::Kind::end) && !at("rule")) {
    const bool places = at("at") || at("after"), replaces = at("replace");
    if ((places && placed) || (replaces && replaced))
      fail(file_, token().range,
           fmt::format("the rule '{}' has two {}", rule.name, places ? "places" : "replacements"));
    placed = placed || places;
    replaced = replaced || replaces;
    if (!clause(rule)) fail_expected("'at', 'after', 'in', 'when', 'priority', 'replace' or 'rule'");
  }
  check(rule, placed, replaced);
  return rule;
}

bool Parser::clause(Rule& rule) {
  if (accept("priority"))
    rule.priority = integer("the priority, which is an integer");
  else if (accept("at"))
    rule.place = place(false);
  else if (accept("after"))
    rule.place = place(true);
  else if (accept("in"))
    rule.scopes.push_back(scope());
  else if (accept("when"))
    condition(rule);
  else if (accept("replace"))
    replacement(rule);
  else
    return false;
  return true;
}

Pattern Parser::pattern(std::string_view what) {
  const Range range = token().range;
  std::string text = string(what);
  if (text.empty() && what != "the path of a module in quotes") fail(file_, range, "this name is empty");
  return {std::move(text), range};
}

Place Parser::place(bool after) {
  const auto* found = std::ranges::find(kPlaces, token().text, &KindName::word);
  if (!at(Token::Kind::name) || found == std::end(kPlaces))
    fail_expected("'operator', 'module', 'class', 'method', 'function' or 'value'");
  take();
  Place place{.after = after, .kind = found->kind};
  place.pattern =
      pattern(found->kind == Kind::module ? "the path of a module in quotes"
                                          : fmt::format("the name of the {} in quotes", found->word));
  if (place.kind == Kind::value && !after)
    fail(file_, place.pattern.range, "a value is not replaced: write 'after value'");
  if (const std::size_t open = place.pattern.text.find('(');
      place.kind == Kind::op && open != std::string::npos) {
    place.schema = place.pattern.text;
    place.pattern.text = place.schema.substr(0, std::min(open, place.schema.find('.')));
  }
  return place;
}

Scope Parser::scope() {
  Scope scope;
  if (accept("module")) {
    scope.pattern = pattern("the path of a module in quotes");
  } else if (accept("class")) {
    scope.kind = Kind::cls;
    scope.pattern = pattern("the name of a class in quotes");
  } else if (accept("file")) {
    scope.file = true;
    scope.pattern = pattern("the name of a Python file in quotes");
    std::string& text = scope.pattern.text;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return scope;
    const std::string lines = text.substr(colon + 1);
    const char *begin = lines.data(), *end = begin + lines.size();
    std::from_chars_result read = std::from_chars(begin, end, scope.first_line);
    scope.last_line = scope.first_line;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, end, scope.last_line);
    if (read.ec != std::errc() || read.ptr != end || scope.first_line < 1 ||
        scope.last_line < scope.first_line)
      fail(file_, scope.pattern.range, fmt::format("'{}' is not a line or a range of lines", lines),
           "write \"models/head.py:12\" or \"models/head.py:12-30\"");
    text.resize(colon);
  } else {
    fail_expected("'module', 'class' or 'file'");
  }
  return scope;
}

// The condition ends before the next clause, which begins a line.
void Parser::condition(Rule& rule) {
  const auto ends = [this] {
    return at(Token::Kind::end) || ((token().begins_line || at("replace")) && at(Token::Kind::name) &&
                                    std::ranges::find(kClauses, token().text) != std::end(kClauses));
  };
  if (ends()) fail_expected("a condition");
  Range range = token().range;
  while (!ends()) range.end = take().range.end;
  try {
    split(script::parse_expression(file_.name, file_.text, range), rule.conditions);
  } catch (const Error& error) {
    Diagnostic d = error.diagnostics().front();
    throw Error(
        Diagnostic{.code = Code::bad_rewrite, .message = d.message, .file = file_.name, .script = d.script});
  }
}

void Parser::check(const Rule& rule, bool placed, bool replaced) const {
  if (!placed)
    fail(file_, rule.range, fmt::format("the rule '{}' does not say where it applies", rule.name),
         "add a line such as: at operator \"aten::gelu\"");
  if (!replaced)
    fail(file_, rule.range, fmt::format("the rule '{}' has no replacement", rule.name),
         "add a line such as: replace (x) -> (y) { y = Relu(x) }");
  if (std::holds_alternative<ConverterOf>(rule.replacement) &&
      (rule.place.after || rule.place.kind != Kind::op))
    fail(file_, rule.range, "a converter can only replace the call of an operator: write 'at operator'");
}

std::unique_ptr<const RuleFile> parse(std::string name, std::string text) {
  auto file = std::make_unique<RuleFile>();
  file->name = std::move(name);
  file->text = std::move(text);
  Parser(*file).parse();
  return file;
}

}  // namespace cameo::rewrite
