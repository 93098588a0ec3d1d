#include <optional>

#include "script/parser.h"

namespace cameo::script {
namespace {

std::optional<BinaryOp> augmented(Tok kind) {
  switch (kind) {
    case Tok::add_assign: return BinaryOp::add;
    case Tok::sub_assign: return BinaryOp::sub;
    case Tok::mul_assign: return BinaryOp::mul;
    case Tok::div_assign: return BinaryOp::div;
    case Tok::mod_assign: return BinaryOp::mod;
    case Tok::matmul_assign: return BinaryOp::matmul;
    case Tok::floordiv_assign: return BinaryOp::floordiv;
    case Tok::pow_assign: return BinaryOp::pow;
    case Tok::lshift_assign: return BinaryOp::lshift;
    case Tok::rshift_assign: return BinaryOp::rshift;
    case Tok::and_assign: return BinaryOp::bit_and;
    case Tok::or_assign: return BinaryOp::bit_or;
    case Tok::xor_assign: return BinaryOp::bit_xor;
    default: return std::nullopt;
  }
}

template <class Node>
StmtPtr make_stmt(Range range, Node node) {
  return std::make_unique<Stmt>(Stmt{range, std::move(node)});
}

}  // namespace

// An indented block, or one simple statement on the same line.
Block Parser::block() {
  const Level level(*this, block_depth_, kMaxBlockDepth, "blocks");
  Block body;
  if (!accept(Tok::newline)) {
    body.push_back(simple_statement());
    return body;
  }
  expect(Tok::indent, "to begin a block");
  while (!at(Tok::dedent) && !at(Tok::end)) body.push_back(statement());
  expect(Tok::dedent, "after the block");
  return body;
}

StmtPtr Parser::statement() {
  switch (token_.kind) {
    case Tok::kw_if: return if_statement();
    case Tok::kw_for: return for_statement();
    case Tok::kw_while: return while_statement();
    case Tok::kw_with: return with_statement();
    case Tok::kw_def: return nested_function();
    default: return simple_statement();
  }
}

StmtPtr Parser::nested_function() {
  auto stmt = std::make_unique<Stmt>();
  auto& node = stmt->node.emplace<FunctionDef>(function());
  stmt->range = node.range;
  return stmt;
}

// Entered at `if` and at `elif`.
StmtPtr Parser::if_statement() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  auto stmt = std::make_unique<Stmt>();
  auto& node = stmt->node.emplace<If>();
  node.condition = expr();
  expect(Tok::colon, "after the condition");
  node.then_body = block();
  if (at(Tok::kw_elif)) {
    const Level level(*this, block_depth_, kMaxBlockDepth, "blocks");
    node.else_body.push_back(if_statement());
  } else if (accept(Tok::kw_else)) {
    expect(Tok::colon, "after 'else'");
    node.else_body = block();
  }
  stmt->range = since(begin);
  return stmt;
}

StmtPtr Parser::for_statement() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  auto stmt = std::make_unique<Stmt>();
  auto& node = stmt->node.emplace<For>();
  node.target = target_list();
  expect(Tok::kw_in, "after the loop variable");
  node.iterable = expr_list();
  expect(Tok::colon, "after the loop's range");
  node.body = block();
  stmt->range = since(begin);
  return stmt;
}

StmtPtr Parser::while_statement() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  auto stmt = std::make_unique<Stmt>();
  auto& node = stmt->node.emplace<While>();
  node.condition = expr();
  expect(Tok::colon, "after the condition");
  node.body = block();
  stmt->range = since(begin);
  return stmt;
}

StmtPtr Parser::with_statement() {
  const std::uint32_t begin = token_.range.begin;
  advance();
  auto stmt = std::make_unique<Stmt>();
  auto& node = stmt->node.emplace<With>();
  do {
    WithItem& item = node.items.emplace_back();
    item.context = expr();
    if (accept(Tok::kw_as)) item.target = target();
  } while (accept(Tok::comma));
  expect(Tok::colon, "after the contexts");
  node.body = block();
  stmt->range = since(begin);
  return stmt;
}

StmtPtr Parser::simple_statement() {
  StmtPtr stmt = small_statement();
  if (!at(Tok::newline)) fail_expected("the end of the line");
  advance();
  return stmt;
}

StmtPtr Parser::small_statement() {
  const std::uint32_t begin = token_.range.begin;
  const auto optional_value = [&] { return at(Tok::newline) ? nullptr : expr_list(); };
  switch (token_.kind) {
    case Tok::kw_pass: advance(); return make_stmt(since(begin), Pass{});
    case Tok::kw_break: advance(); return make_stmt(since(begin), Break{});
    case Tok::kw_continue: advance(); return make_stmt(since(begin), Continue{});
    case Tok::kw_return: {
      advance();
      ExprPtr value = optional_value();
      return make_stmt(since(begin), Return{std::move(value)});
    }
    case Tok::kw_raise: {
      advance();
      ExprPtr value = optional_value();
      return make_stmt(since(begin), Raise{std::move(value)});
    }
    case Tok::kw_assert: {
      advance();
      ExprPtr condition = expr();
      ExprPtr message = accept(Tok::comma) ? expr() : nullptr;
      return make_stmt(since(begin), Assert{std::move(condition), std::move(message)});
    }
    case Tok::kw_del: {
      advance();
      Delete node;
      do node.targets.push_back(target());
      while (accept(Tok::comma));
      return make_stmt(since(begin), std::move(node));
    }
    default: return assignment();
  }
}

// An expression for its effects, or an assignment to what turns out to be its targets.
StmtPtr Parser::assignment() {
  const std::uint32_t begin = token_.range.begin;
  Commas commas = Commas::none;
  ExprPtr left = expr_list(&commas);
  if (const auto op = augmented(token_.kind)) {
    if (left->get_if<TupleExpr>()) fail(left->range, "several values cannot be updated at once");
    check_target(*left);
    advance();
    ExprPtr value = expr_list();
    return make_stmt(since(begin), AugAssign{std::move(left), *op, std::move(value)});
  }
  Assign node;
  if (at(Tok::colon)) {
    if (left->get_if<TupleExpr>()) fail(left->range, "only a single variable can be given a type");
    check_target(*left);
    advance();
    node.type = expr();
    if (!at(Tok::assign)) fail_expected("'=' after the type");
  }
  if (!at(Tok::assign)) return make_stmt(since(begin), ExprStmt{std::move(left)});
  check_target(*left);
  advance();
  node.unpack = commas == Commas::trailing;
  if (commas != Commas::none) {
    node.targets = std::move(std::get<TupleExpr>(left->node).items);
  } else {
    node.targets.push_back(std::move(left));
  }
  node.value = expr_list();
  return make_stmt(since(begin), std::move(node));
}

ExprPtr Parser::target() {
  const std::uint32_t begin = token_.range.begin;
  const bool starred = accept(Tok::star);
  ExprPtr value = postfix();
  if (starred) value = make(begin, Starred{std::move(value)});
  check_target(*value);
  return value;
}

ExprPtr Parser::target_list() {
  const std::uint32_t begin = token_.range.begin;
  ExprPtr first = target();
  if (!at(Tok::comma)) return first;
  TupleExpr tuple;
  tuple.items.push_back(std::move(first));
  while (accept(Tok::comma) && !at(Tok::kw_in)) tuple.items.push_back(target());
  return make(begin, std::move(tuple));
}

void Parser::check_target(const Expr& expr) const {
  if (const auto* tuple = expr.get_if<TupleExpr>()) {
    for (const ExprPtr& item : tuple->items) check_target(*item);
  } else if (const auto* starred = expr.get_if<Starred>()) {
    check_target(*starred->value);
  } else if (!expr.get_if<Name>() && !expr.get_if<Attribute>() && !expr.get_if<Subscript>()) {
    fail(expr.range, "this cannot be assigned to");
  }
}

}  // namespace cameo::script
