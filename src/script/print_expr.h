#pragma once
// Expressions as text; print.cpp adds the statements.

#include <string>
#include <string_view>
#include <vector>

#include "script/ast.h"

namespace cameo::script {

std::string_view symbol(BinaryOp op);  // "+", "not in"

class ExprPrinter {
 public:
  std::string& out() { return out_; }

  void expr(const Expr& expr);
  void operand(const Expr& expr);  // in parentheses unless it binds tighter than every operator
  void string(std::string_view value);

  void operator()(const NoneLiteral&) { out_ += "None"; }
  void operator()(const BoolLiteral& n) { out_ += n.value ? "True" : "False"; }
  void operator()(const IntLiteral& n) { out_ += std::to_string(n.value); }
  void operator()(const FloatLiteral& n) { number(n.value); }
  void operator()(const ImaginaryLiteral& n);
  void operator()(const StringLiteral& n) { string(n.value); }
  void operator()(const EllipsisLiteral&) { out_ += "..."; }
  void operator()(const Name& n) { out_ += n.id; }
  void operator()(const Attribute& n);
  void operator()(const CallExpr& n);
  void operator()(const SliceExpr& n);
  void operator()(const Subscript& n);
  void operator()(const TupleExpr& n);
  void operator()(const ListExpr& n);
  void operator()(const DictExpr& n);
  void operator()(const ListComprehension& n);
  void operator()(const Starred& n);
  void operator()(const Unary& n);
  void operator()(const Binary& n);
  void operator()(const Conditional& n);

 protected:
  template <class Item, class Print>
  void separated(const std::vector<Item>& items, Print print) {
    for (bool first = true; const Item& item : items) {
      if (!first) out_ += ", ";
      first = false;
      print(item);
    }
  }

 private:
  void number(double value);
  std::string out_;
};

}  // namespace cameo::script
