// Expressions with operators, by precedence climbing.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "script/parser.h"
#include "script/walk.h"

namespace cameo::script {
namespace {

enum Precedence {
  kOr = 1,
  kAnd,
  kNot,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kTerm,
  kUnary,
  kPower
};

struct Operator {
  Tok token;
  BinaryOp op;
  Precedence precedence;
};
constexpr Operator kOperators[] = {
    {Tok::kw_or, BinaryOp::logical_or, kOr},    {Tok::kw_and, BinaryOp::logical_and, kAnd},
    {Tok::eq, BinaryOp::eq, kCompare},          {Tok::ne, BinaryOp::ne, kCompare},
    {Tok::lt, BinaryOp::lt, kCompare},          {Tok::le, BinaryOp::le, kCompare},
    {Tok::gt, BinaryOp::gt, kCompare},          {Tok::ge, BinaryOp::ge, kCompare},
    {Tok::kw_is, BinaryOp::is, kCompare},       {Tok::kw_in, BinaryOp::in, kCompare},
    {Tok::kw_not, BinaryOp::not_in, kCompare},  {Tok::pipe, BinaryOp::bit_or, kBitOr},
    {Tok::caret, BinaryOp::bit_xor, kBitXor},   {Tok::ampersand, BinaryOp::bit_and, kBitAnd},
    {Tok::lshift, BinaryOp::lshift, kShift},    {Tok::rshift, BinaryOp::rshift, kShift},
    {Tok::plus, BinaryOp::add, kSum},           {Tok::minus, BinaryOp::sub, kSum},
    {Tok::star, BinaryOp::mul, kTerm},          {Tok::slash, BinaryOp::div, kTerm},
    {Tok::floordiv, BinaryOp::floordiv, kTerm}, {Tok::percent, BinaryOp::mod, kTerm},
    {Tok::at, BinaryOp::matmul, kTerm},         {Tok::pow, BinaryOp::pow, kPower},
};

const Operator* operator_of(Tok kind) {
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [kind](const Operator& each) { return each.token == kind; });
  return found == std::end(kOperators) ? nullptr : found;
}

template <class... Leaf>
bool copy_leaf(const Expr& from, Expr& to) {
  to.range = from.range;
  return ((from.get_if<Leaf>() && (to.node = *from.get_if<Leaf>(), true)) || ...);
}

}  // namespace

ExprPtr Parser::finish(std::uint32_t begin, ExprPtr expr) const {
  expr->range = since(begin);
  for_each_child(*expr, [&](const Expr& child) { expr->height = std::max(expr->height, child.height + 1); });
  if (expr->height > kMaxExpressionDepth) {
    fail(expr->range, fmt::format("expressions nested too deeply (limit {})", kMaxExpressionDepth));
  }
  return expr;
}

ExprPtr Parser::expr() {
  const std::uint32_t begin = token_.range.begin;
  ExprPtr value = binary(kOr);
  if (!accept(Tok::kw_if)) return value;
  const Level level(*this, expression_depth_, kMaxExpressionDepth, "expressions");
  ExprPtr condition = binary(kOr);
  expect(Tok::kw_else, "of the conditional expression");
  ExprPtr otherwise = expr();
  return make(begin, Conditional{std::move(condition), std::move(value), std::move(otherwise)});
}

ExprPtr Parser::expr_or_starred() {
  const std::uint32_t begin = token_.range.begin;
  if (!accept(Tok::star)) return expr();
  ExprPtr value = binary(kBitOr);
  return make(begin, Starred{std::move(value)});
}

// One expression, or a tuple without parentheses.
ExprPtr Parser::expr_list(Commas* commas) {
  const std::uint32_t begin = token_.range.begin;
  ExprPtr first = expr_or_starred();
  if (!at(Tok::comma)) return first;
  std::vector<ExprPtr> items;
  items.push_back(std::move(first));
  Commas found = Commas::between;
  while (accept(Tok::comma)) {
    if (at(Tok::newline) || at(Tok::assign) || at(Tok::colon)) {
      found = Commas::trailing;
      break;
    }
    items.push_back(expr_or_starred());
  }
  if (commas) *commas = found;
  return make(begin, TupleExpr{std::move(items)});
}

ExprPtr Parser::binary(int min_precedence) {
  const Level level(*this, expression_depth_, kMaxExpressionDepth, "expressions");
  const std::uint32_t begin = token_.range.begin;
  ExprPtr left = prefix(min_precedence);
  bool after_comparison = false;
  while (const Operator* next = operator_of(token_.kind)) {
    if (next->precedence < min_precedence) break;
    BinaryOp op = next->op;
    advance();
    if (op == BinaryOp::is && accept(Tok::kw_not)) op = BinaryOp::is_not;
    if (op == BinaryOp::not_in) expect(Tok::kw_in, "after 'not'");
    ExprPtr right = binary(next->precedence == kPower ? kUnary : next->precedence + 1);
    const bool chained = after_comparison && next->precedence == kCompare;
    after_comparison = next->precedence == kCompare;
    left = chained ? compared(std::move(left), op, std::move(right))
                   : make(begin, Binary{op, std::move(left), std::move(right)});
  }
  return left;
}

// `a < b < c` is `a < b and b < c`: the operand in the middle is repeated, so it must be a name or a literal.
ExprPtr Parser::compared(ExprPtr left, BinaryOp op, ExprPtr right) {
  const auto& whole = std::get<Binary>(left->node);
  const Expr& last = whole.op == BinaryOp::logical_and ? *whole.right : *left;
  const Expr& shared = *std::get<Binary>(last.node).right;
  auto middle = std::make_unique<Expr>();
  if (!copy_leaf<Name, IntLiteral, FloatLiteral, StringLiteral, BoolLiteral, NoneLiteral>(shared, *middle))
    fail(shared.range, "the middle of a chained comparison must be a name or a literal");
  const std::uint32_t begin = left->range.begin, middle_begin = middle->range.begin;
  ExprPtr second = make(middle_begin, Binary{op, std::move(middle), std::move(right)});
  return make(begin, Binary{BinaryOp::logical_and, std::move(left), std::move(second)});
}

ExprPtr Parser::prefix(int min_precedence) {
  const std::uint32_t begin = token_.range.begin;
  switch (token_.kind) {
    case Tok::kw_not: {
      if (min_precedence > kNot) fail_expected("an operand");
      advance();
      ExprPtr operand = binary(kNot);
      return make(begin, Unary{UnaryOp::logical_not, std::move(operand)});
    }
    case Tok::minus: {
      advance();
      return negated(begin, binary(kUnary));
    }
    case Tok::plus:
    case Tok::tilde: {
      const UnaryOp op = at(Tok::plus) ? UnaryOp::pos : UnaryOp::invert;
      advance();
      ExprPtr operand = binary(kUnary);
      return make(begin, Unary{op, std::move(operand)});
    }
    default: return postfix();
  }
}

// The minus of a number becomes part of it.
ExprPtr Parser::negated(std::uint32_t begin, ExprPtr operand) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (const auto* n = operand->get_if<IntLiteral>(); n && n->value != kLowest) {
    return make(begin, IntLiteral{-n->value});
  }
  if (const auto* n = operand->get_if<FloatLiteral>()) {
    if (text_of(operand->range) == "9223372036854775808") return make(begin, IntLiteral{kLowest});
    return make(begin, FloatLiteral{-n->value});
  }
  if (const auto* n = operand->get_if<ImaginaryLiteral>()) return make(begin, ImaginaryLiteral{-n->value});
  return make(begin, Unary{UnaryOp::neg, std::move(operand)});
}

}  // namespace cameo::script
