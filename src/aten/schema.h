#pragma once
// ATen schemas, parsed at compile time: "aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) ->
// Tensor".

#include <array>
#include <cstddef>
#include <string_view>

namespace cameo::aten {

struct ParamSchema {
  std::string_view type;  // without annotation, '?' and list brackets: "Tensor", "int", "Scalar", …
  std::string_view name;
  std::string_view default_value;  // text; empty if there is none
  bool has_default = false;
  bool optional = false;       // T?
  bool list = false;           // T[], T[2]
  bool optional_list = false;  // T[]?
  bool sized_list = false;     // T[2]: one number stands for all
  bool keyword_only = false;
  char alias = 0;        // 'a' of Tensor(a)
  bool written = false;  // Tensor(a!)
};

struct Schema {
  static constexpr std::size_t kMaxParams = 28;
  static constexpr std::size_t kMaxReturns = 9;
  std::string_view text;
  std::string_view name;      // "aten::clamp"
  std::string_view overload;  // "Tensor" of aten::add.Tensor; may be empty
  std::array<ParamSchema, kMaxParams> params{};
  std::size_t count = 0;
  std::array<ParamSchema, kMaxReturns> returns{};  // type, list, alias
  std::size_t return_count = 0;

  // The parameter of this name; null if there is none.
  constexpr const ParamSchema* parameter(std::string_view wanted) const {
    for (std::size_t i = 0; i < count; ++i)
      if (params[i].name == wanted) return &params[i];
    return nullptr;
  }
};

namespace detail {

constexpr std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Takes the text up to the next comma that stands outside of brackets, and the comma.
constexpr std::string_view take_item(std::string_view& rest) {
  int depth = 0;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) break;
  }
  std::string_view item = trim(rest.substr(0, i));
  rest = i < rest.size() ? rest.substr(i + 1) : std::string_view{};
  return item;
}

constexpr void parse_type(std::string_view text, ParamSchema& p) {
  if (text.ends_with("]?")) {
    p.optional_list = true;
    text.remove_suffix(1);
  }
  if (text.ends_with(']')) {
    std::size_t open = text.rfind('[');
    if (open == text.npos) throw "schema: unbalanced list type";
    p.list = true;
    p.sized_list = open + 2 < text.size();
    text = text.substr(0, open);
  }
  if (text.ends_with('?')) {
    p.optional = true;
    text.remove_suffix(1);
  }
  if (text.ends_with(')')) {
    std::size_t open = text.rfind('(');
    if (open == text.npos || open + 1 >= text.size()) throw "schema: bad alias annotation";
    p.alias = text[open + 1];
    p.written = text[text.size() - 2] == '!';
    text = text.substr(0, open);
  }
  if (text.empty()) throw "schema: a type is missing";
  p.type = text;
}

}  // namespace detail

constexpr Schema parse_schema(std::string_view text) {
  Schema s;
  s.text = text;
  std::size_t arrow = text.rfind(" -> ");
  std::size_t open = text.find('(');
  if (open == text.npos || arrow == text.npos || text[arrow - 1] != ')')
    throw "schema: expected name(parameters) -> returns";
  s.name = text.substr(0, open);
  std::size_t colons = s.name.find("::");
  if (colons == s.name.npos) throw "schema: the name needs a namespace";
  std::size_t dot = s.name.find('.', colons);
  if (dot != s.name.npos) {
    s.overload = s.name.substr(dot + 1);
    s.name = s.name.substr(0, dot);
  }
  bool keyword_only = false;
  for (std::string_view rest = text.substr(open + 1, arrow - open - 2); !detail::trim(rest).empty();) {
    std::string_view item = detail::take_item(rest);
    if (item == "*") {
      keyword_only = true;
      continue;
    }
    ParamSchema p;
    p.keyword_only = keyword_only;
    std::size_t equals = item.find('=');
    if (equals != item.npos) {
      p.default_value = detail::trim(item.substr(equals + 1));
      p.has_default = true;
      item = detail::trim(item.substr(0, equals));
    }
    std::size_t space = item.rfind(' ');
    if (space == item.npos) throw "schema: a parameter needs a type and a name";
    p.name = item.substr(space + 1);
    detail::parse_type(detail::trim(item.substr(0, space)), p);
    if (s.count == Schema::kMaxParams) throw "schema: too many parameters";
    s.params[s.count++] = p;
  }
  std::string_view returns = detail::trim(text.substr(arrow + 4));
  if (returns.starts_with('(')) returns = returns.substr(1, returns.size() - 2);
  while (!detail::trim(returns).empty()) {
    std::string_view item = detail::take_item(returns);
    std::size_t space = item.rfind(' ');
    if (space != item.npos) item = item.substr(0, space);
    if (s.return_count == Schema::kMaxReturns) throw "schema: too many returns";
    detail::parse_type(item, s.returns[s.return_count++]);
  }
  return s;
}

}  // namespace cameo::aten
