// Expressions with operators, by precedence climbing.
#include <limits>
#include <optional>

#include "script/parser.h"

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
  BinaryOp op;
  int precedence;
};

std::optional<Operator> operator_of(Tok kind) {
  switch (kind) {
    case Tok::kw_or: return Operator{BinaryOp::logical_or, kOr};
    case Tok::kw_and: return Operator{BinaryOp::logical_and, kAnd};
    case Tok::eq: return Operator{BinaryOp::eq, kCompare};
    case Tok::ne: return Operator{BinaryOp::ne, kCompare};
    case Tok::lt: return Operator{BinaryOp::lt, kCompare};
    case Tok::le: return Operator{BinaryOp::le, kCompare};
    case Tok::gt: return Operator{BinaryOp::gt, kCompare};
    case Tok::ge: return Operator{BinaryOp::ge, kCompare};
    case Tok::kw_is: return Operator{BinaryOp::is, kCompare};
    case Tok::kw_in: return Operator{BinaryOp::in, kCompare};
    case Tok::kw_not: return Operator{BinaryOp::not_in, kCompare};
    case Tok::pipe: return Operator{BinaryOp::bit_or, kBitOr};
    case Tok::caret: return Operator{BinaryOp::bit_xor, kBitXor};
    case Tok::ampersand: return Operator{BinaryOp::bit_and, kBitAnd};
    case Tok::lshift: return Operator{BinaryOp::lshift, kShift};
    case Tok::rshift: return Operator{BinaryOp::rshift, kShift};
    case Tok::plus: return Operator{BinaryOp::add, kSum};
    case Tok::minus: return Operator{BinaryOp::sub, kSum};
    case Tok::star: return Operator{BinaryOp::mul, kTerm};
    case Tok::slash: return Operator{BinaryOp::div, kTerm};
    case Tok::floordiv: return Operator{BinaryOp::floordiv, kTerm};
    case Tok::percent: return Operator{BinaryOp::mod, kTerm};
    case Tok::at: return Operator{BinaryOp::matmul, kTerm};
    case Tok::pow: return Operator{BinaryOp::pow, kPower};
    default: return std::nullopt;
  }
}

template <class... Leaf>
bool copy_leaf(const Expr& from, Expr& to) {
  to.range = from.range;
  return ((from.get_if<Leaf>() && (to.node = *from.get_if<Leaf>(), true)) || ...);
}

}  // namespace

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
  while (auto next = operator_of(token_.kind)) {
    if (next->precedence < min_precedence) break;
    const bool is = at(Tok::kw_is), negative = at(Tok::kw_not);
    advance();
    if (is && accept(Tok::kw_not)) next->op = BinaryOp::is_not;
    if (negative) expect(Tok::kw_in, "after 'not'");
    ExprPtr right = binary(next->precedence == kPower ? kUnary : next->precedence + 1);
    const bool chained = after_comparison && next->precedence == kCompare;
    after_comparison = next->precedence == kCompare;
    left = chained ? compared(std::move(left), next->op, std::move(right))
                   : make(begin, Binary{next->op, std::move(left), std::move(right)});
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
