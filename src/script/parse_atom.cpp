// Literals, names, brackets, and what may follow them: attributes, calls, subscripts.
#include <charconv>

#include "script/parser.h"

namespace cameo::script {

ExprPtr Parser::postfix() {
  ExprPtr value = atom();
  for (;;) {
    switch (token_.kind) {
      case Tok::lparen: value = call(std::move(value)); break;
      case Tok::lbracket: value = subscript(std::move(value)); break;
      case Tok::dot: {
        advance();
        const std::uint32_t begin = value->range.begin;
        const std::string_view name = any_word("a name after '.'");
        value = make(begin, Attribute{std::move(value), name});
        break;
      }
      default: return value;
    }
  }
}

ExprPtr Parser::call(ExprPtr callee) {
  advance();
  const std::uint32_t begin = callee->range.begin;
  CallExpr call{std::move(callee), {}, {}};
  while (!at(Tok::rparen)) {
    const std::uint32_t start = token_.range.begin;
    ExprPtr value = expr_or_starred();
    if (accept(Tok::assign)) {
      const auto* name = value->get_if<Name>();
      if (!name || value->range.begin != start) fail(value->range, "only a name can stand before '=' here");
      call.keywords.push_back({name->id, expr()});
    } else {
      if (!call.keywords.empty()) fail(value->range, "a positional argument cannot follow a named one");
      call.args.push_back(std::move(value));
    }
    if (!accept(Tok::comma)) break;
  }
  expect(Tok::rparen, "after the arguments");
  return make(begin, std::move(call));
}

ExprPtr Parser::subscript(ExprPtr object) {
  advance();
  const std::uint32_t begin = object->range.begin;
  std::vector<ExprPtr> indices;
  do {
    if (at(Tok::rbracket) && !indices.empty()) break;
    indices.push_back(subscript_item());
  } while (accept(Tok::comma));
  expect(Tok::rbracket, "after the index");
  return make(begin, Subscript{std::move(object), std::move(indices)});
}

ExprPtr Parser::subscript_item() {
  const std::uint32_t begin = token_.range.begin;
  const auto part = [&] {
    return at(Tok::colon) || at(Tok::comma) || at(Tok::rbracket) ? nullptr : expr_or_starred();
  };
  ExprPtr start = at(Tok::colon) ? nullptr : expr_or_starred();
  if (!accept(Tok::colon)) return start;
  ExprPtr stop = part();
  ExprPtr step = accept(Tok::colon) ? part() : nullptr;
  return make(begin, SliceExpr{std::move(start), std::move(stop), std::move(step)});
}

ExprPtr Parser::atom() {
  switch (token_.kind) {
    case Tok::number: return number();
    case Tok::string: return string();
    case Tok::lparen: return parenthesized();
    case Tok::lbracket: return list();
    case Tok::lbrace: return dict();
    default: return name_or_constant();
  }
}

ExprPtr Parser::name_or_constant() {
  const Token token = token_;
  const auto take = [&](auto node) {
    advance();
    return make(token.range.begin, node);
  };
  switch (token.kind) {
    case Tok::name: return take(Name{token_text()});
    case Tok::kw_none: return take(NoneLiteral{});
    case Tok::kw_true: return take(BoolLiteral{true});
    case Tok::kw_false: return take(BoolLiteral{false});
    case Tok::ellipsis: return take(EllipsisLiteral{});
    default: fail_expected("an expression");
  }
}

ExprPtr Parser::number() {
  std::string_view text = token_text();
  const Range range = token_.range;
  advance();
  const auto convert = [&](auto& value, auto... format) {
    return std::from_chars(text.data(), text.data() + text.size(), value, format...).ec == std::errc();
  };
  const char prefix = text.size() > 2 ? static_cast<char>(text[1] | 0x20) : '\0';
  if (prefix == 'x' || prefix == 'o' || prefix == 'b') {
    text.remove_prefix(2);
    std::int64_t value = 0;
    if (!convert(value, prefix == 'x' ? 16 : prefix == 'o' ? 8 : 2))
      fail(range, "this number is out of range");
    return make(range.begin, IntLiteral{value});
  }
  const bool imaginary = text.back() == 'j' || text.back() == 'J';
  if (imaginary) text.remove_suffix(1);
  if (!imaginary && text.find_first_of(".eE") == text.npos) {
    std::int64_t value = 0;
    if (convert(value)) return make(range.begin, IntLiteral{value});
  }
  double value = 0;
  if (!convert(value)) fail(range, "this number is out of range");
  if (imaginary) return make(range.begin, ImaginaryLiteral{value});
  return make(range.begin, FloatLiteral{value});
}

ExprPtr Parser::string() {
  const std::uint32_t begin = token_.range.begin;
  std::string value;
  while (at(Tok::string)) {
    value += string_value(token_text());
    advance();
  }
  return make(begin, StringLiteral{std::move(value)});
}

ExprPtr Parser::parenthesized() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  std::vector<ExprPtr> items;
  bool tuple = at(Tok::rparen);
  while (!at(Tok::rparen)) {
    items.push_back(expr_or_starred());
    if (!accept(Tok::comma)) break;
    tuple = true;
  }
  expect(Tok::rparen, "to close '('");
  if (!tuple && items.front()->get_if<Starred>()) fail(items.front()->range, "'*' has no place here");
  if (!tuple) return std::move(items.front());
  return make(begin, TupleExpr{std::move(items)});
}

ExprPtr Parser::list() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  std::vector<ExprPtr> items;
  while (!at(Tok::rbracket)) {
    items.push_back(expr_or_starred());
    if (items.size() == 1 && !items[0]->get_if<Starred>() && accept(Tok::kw_for)) {
      ExprPtr variable = target_list();
      expect(Tok::kw_in, "after the loop variable");
      ExprPtr iterable = binary(0);
      expect(Tok::rbracket, "after the comprehension");
      return make(begin, ListComprehension{std::move(items[0]), std::move(variable), std::move(iterable)});
    }
    if (!accept(Tok::comma)) break;
  }
  expect(Tok::rbracket, "to close '['");
  return make(begin, ListExpr{std::move(items)});
}

ExprPtr Parser::dict() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  DictExpr dict;
  while (!at(Tok::rbrace)) {
    ExprPtr key = expr();
    expect(Tok::colon, "after the key");
    dict.items.emplace_back(std::move(key), expr());
    if (!accept(Tok::comma)) break;
  }
  expect(Tok::rbrace, "to close '{'");
  return make(begin, std::move(dict));
}

ExprPtr Parser::lone_type() {
  ExprPtr type = expr();
  accept(Tok::newline);
  expect(Tok::end, "after the type");
  return type;
}

ExprPtr Parser::lone_expression() {
  ExprPtr value = expr();
  accept(Tok::newline);
  expect(Tok::end, "after the expression");
  return value;
}

}  // namespace cameo::script
