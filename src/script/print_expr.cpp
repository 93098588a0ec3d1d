#include "script/print_expr.h"

#include <charconv>
#include <cmath>

namespace cameo::script {
namespace {

template <class... Node>
bool is_any(const Expr& expr) {
  return (expr.get_if<Node>() || ...);
}

// A number does not: `-1` may lead it, and `1.` would swallow the dot of an attribute.
bool binds_tightest(const Expr& expr) {
  return !is_any<IntLiteral, FloatLiteral, ImaginaryLiteral, Starred, SliceExpr, Unary, Binary, Conditional>(
      expr);
}

// Numbers that are not negative may stand beside an operator as they are.
bool plain_number(const Expr& expr) {
  if (const auto* n = expr.get_if<IntLiteral>()) return n->value >= 0;
  if (const auto* n = expr.get_if<FloatLiteral>()) return !std::signbit(n->value);
  if (const auto* n = expr.get_if<ImaginaryLiteral>()) return !std::signbit(n->value);
  return false;
}

}  // namespace

std::string_view symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::add: return "+";
    case BinaryOp::sub: return "-";
    case BinaryOp::mul: return "*";
    case BinaryOp::div: return "/";
    case BinaryOp::floordiv: return "//";
    case BinaryOp::mod: return "%";
    case BinaryOp::pow: return "**";
    case BinaryOp::matmul: return "@";
    case BinaryOp::bit_and: return "&";
    case BinaryOp::bit_or: return "|";
    case BinaryOp::bit_xor: return "^";
    case BinaryOp::lshift: return "<<";
    case BinaryOp::rshift: return ">>";
    case BinaryOp::logical_and: return "and";
    case BinaryOp::logical_or: return "or";
    case BinaryOp::eq: return "==";
    case BinaryOp::ne: return "!=";
    case BinaryOp::lt: return "<";
    case BinaryOp::le: return "<=";
    case BinaryOp::gt: return ">";
    case BinaryOp::ge: return ">=";
    case BinaryOp::is: return "is";
    case BinaryOp::is_not: return "is not";
    case BinaryOp::in: return "in";
    case BinaryOp::not_in: return "not in";
  }
  return "";
}

void ExprPrinter::expr(const Expr& expr) { std::visit(*this, expr.node); }

void ExprPrinter::operand(const Expr& e) {
  const bool plain = binds_tightest(e);
  if (!plain) out_ += '(';
  expr(e);
  if (!plain) out_ += ')';
}

// The shortest text that reads back as the same number.
void ExprPrinter::number(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  out_ += text;
  if (text.find_first_of(".en") == text.npos) out_ += '.';
}

void ExprPrinter::string(std::string_view value) {
  constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\\"", kLetters = "abfnrtv\\\"";
  out_ += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (const auto i = kBytes.find(c); i != kBytes.npos) {
      out_ += '\\';
      out_ += kLetters[i];
    } else if (byte < 0x20 || byte == 0x7f) {
      out_ += '\\';
      for (const int shift : {6, 3, 0}) out_ += static_cast<char>('0' + (byte >> shift & 7));
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void ExprPrinter::operator()(const ImaginaryLiteral& n) {
  number(n.value);
  out_ += 'j';
}

void ExprPrinter::operator()(const Attribute& n) {
  operand(*n.object);
  out_ += '.';
  out_ += n.name;
}

void ExprPrinter::operator()(const CallExpr& n) {
  operand(*n.callee);
  out_ += '(';
  separated(n.args, [&](const ExprPtr& arg) { expr(*arg); });
  if (!n.args.empty() && !n.keywords.empty()) out_ += ", ";
  separated(n.keywords, [&](const Keyword& keyword) {
    out_ += keyword.name;
    out_ += '=';
    expr(*keyword.value);
  });
  out_ += ')';
}

void ExprPrinter::operator()(const SliceExpr& n) {
  if (n.start) expr(*n.start);
  out_ += ':';
  if (n.stop) expr(*n.stop);
  if (!n.step) return;
  out_ += ':';
  expr(*n.step);
}

void ExprPrinter::operator()(const Subscript& n) {
  operand(*n.object);
  out_ += '[';
  separated(n.indices, [&](const ExprPtr& index) { expr(*index); });
  out_ += ']';
}

void ExprPrinter::operator()(const TupleExpr& n) {
  out_ += '(';
  separated(n.items, [&](const ExprPtr& item) { expr(*item); });
  if (n.items.size() == 1) out_ += ',';
  out_ += ')';
}

void ExprPrinter::operator()(const ListExpr& n) {
  out_ += '[';
  separated(n.items, [&](const ExprPtr& item) { expr(*item); });
  out_ += ']';
}

void ExprPrinter::operator()(const DictExpr& n) {
  out_ += '{';
  separated(n.items, [&](const auto& item) {
    expr(*item.first);
    out_ += ": ";
    expr(*item.second);
  });
  out_ += '}';
}

void ExprPrinter::operator()(const ListComprehension& n) {
  out_ += '[';
  expr(*n.element);
  out_ += " for ";
  expr(*n.target);
  out_ += " in ";
  operand(*n.iterable);
  out_ += ']';
}

void ExprPrinter::operator()(const Starred& n) {
  out_ += '*';
  operand(*n.value);
}

void ExprPrinter::operator()(const Unary& n) {
  switch (n.op) {
    case UnaryOp::neg: out_ += '-'; break;
    case UnaryOp::pos: out_ += '+'; break;
    case UnaryOp::invert: out_ += '~'; break;
    case UnaryOp::logical_not: out_ += "not "; break;
  }
  operand(*n.operand);
}

void ExprPrinter::operator()(const Binary& n) {
  const auto side = [&](const Expr& e) { plain_number(e) ? expr(e) : operand(e); };
  side(*n.left);
  out_ += ' ';
  out_ += symbol(n.op);
  out_ += ' ';
  side(*n.right);
}

void ExprPrinter::operator()(const Conditional& n) {
  operand(*n.then_value);
  out_ += " if ";
  operand(*n.condition);
  out_ += " else ";
  operand(*n.else_value);
}

}  // namespace cameo::script
