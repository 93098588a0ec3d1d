#include "rewrite/condition.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "base/overload.h"
#include "spec/meant_input.h"

namespace cameo::rewrite {
namespace {

struct Undecided {
  std::string why;
};
struct NoValue {};  // None
struct Operand;
using OperandList = std::vector<Operand>;
struct Operand {
  std::variant<Undecided, NoValue, bool, double, std::string, OperandList> value;

  const Undecided* undecided() const { return std::get_if<Undecided>(&value); }
  std::optional<double> number() const {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    if (const double* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
  }
};

Operand of_size(const Size& size) {
  if (const std::optional<std::int64_t> number = size.number()) return {static_cast<double>(*number)};
  return {Undecided{fmt::format("it is {}", size.text())}};
}

Operand operand(const Argument& argument) {
  return std::visit(
      Overload{[](std::monostate) -> Operand { return {NoValue{}}; },
               [](bool flag) -> Operand { return {flag}; }, [](const Size& size) { return of_size(size); },
               [](double number) -> Operand { return {number}; },
               [](const std::string& text) -> Operand { return {text}; },
               [](const Argument::List& items) -> Operand {
                 OperandList all;
                 for (const Argument& item : items) all.push_back(operand(item));
                 return {std::move(all)};
               },
               [](const auto&) -> Operand { return {Undecided{"it is a runtime value"}}; }},
      argument.value);
}

bool equal(const Operand& a, const Operand& b) {
  if (a.number() && b.number()) return *a.number() == *b.number();
  if (const auto* x = std::get_if<std::string>(&a.value), *y = std::get_if<std::string>(&b.value); x && y)
    return *x == *y;
  if (const auto* x = std::get_if<OperandList>(&a.value), *y = std::get_if<OperandList>(&b.value); x && y)
    return std::ranges::equal(*x, *y, equal);
  return std::holds_alternative<NoValue>(a.value) && std::holds_alternative<NoValue>(b.value);
}

// The first operand, or item of a list, that is not decided.
const Undecided* undecided_in(const Operand& operand) {
  if (const auto* items = std::get_if<OperandList>(&operand.value)) {
    for (const Operand& item : *items)
      if (const Undecided* found = undecided_in(item)) return found;
    return nullptr;
  }
  return operand.undecided();
}

class Condition {
 public:
  Condition(const Rule& rule, const Facts& facts) : rule_(rule), facts_(facts) {}

  Operand evaluate(const script::Expr& expr) {
    return std::visit(
        Overload{[](const script::NoneLiteral&) -> Operand { return {NoValue{}}; },
                 [](const script::BoolLiteral& n) -> Operand { return {n.value}; },
                 [](const script::IntLiteral& n) -> Operand { return {static_cast<double>(n.value)}; },
                 [](const script::FloatLiteral& n) -> Operand { return {n.value}; },
                 [](const script::StringLiteral& n) -> Operand { return {n.value}; },
                 [&](const script::Name& n) { return word(n.id, expr.range); },
                 [&](const script::CallExpr& n) { return call(n, expr.range); },
                 [&](const script::TupleExpr& n) { return list(n.items); },
                 [&](const script::ListExpr& n) { return list(n.items); },
                 [&](const script::Unary& n) { return unary(n); },
                 [&](const script::Binary& n) { return binary(n); },
                 [&](const auto&) -> Operand { refuse(expr.range, "a condition cannot contain this"); }},
        expr.node);
  }

  bool truth(const Operand& value, const script::Expr& expr) const {
    if (const Undecided* undecided = value.undecided()) throw fault(expr, *undecided);
    if (const bool* flag = std::get_if<bool>(&value.value)) return *flag;
    refuse(expr.range, "this is not a condition: it is neither true nor false");
  }

 private:
  [[noreturn]] void refuse(Range range, std::string message, std::string hint = {}) const {
    fail(*rule_.file, range, std::move(message), std::move(hint));
  }

  Error fault(const script::Expr& expr, const Undecided& undecided) const {
    return Error(
        Diagnostic{.code = Code::undecided_rewrite,
                   .message = fmt::format("the rule '{}' cannot be decided: {}", rule_.name, undecided.why),
                   .file = rule_.file->name,
                   .script = rule_.position(expr.range),
                   .hint = "export with fixed sizes, or write the rule without this condition"});
  }

  const Argument* argument(std::string_view name) const {
    const auto found = std::ranges::find(facts_.arguments, name, &Argument::name);
    return found == facts_.arguments.end() ? nullptr : &*found;
  }

  Operand word(std::string_view id, Range range) const {
    if (const Argument* found = argument(id)) {
      Operand value = operand(*found);
      if (const Undecided* undecided = value.undecided())
        return {Undecided{fmt::format("'{}' is not known at export time, {}", id, undecided->why)}};
      return value;
    }
    if (id == "opset") return {static_cast<double>(facts_.opset)};
    if (id == "target") return {facts_.target ? facts_.target->name : std::string()};
    if (const std::optional<ElementType> type = element_type(id)) return {std::string(name(*type))};
    std::string known;
    for (const Argument& each : facts_.arguments)
      if (!each.name.starts_with('$')) known += (known.empty() ? "" : ", ") + each.name;
    refuse(range, fmt::format("'{}' is not known in a condition", id),
           fmt::format("the arguments are {}; opset, target and element types are known too", known));
  }

  Operand call(const script::CallExpr& node, Range range) {
    const auto* callee = node.callee->get_if<script::Name>();
    const std::string_view function = callee ? callee->id : std::string_view();
    if (function == "supports") return {supports(node, range)};
    const bool unary = function == "dtype" || function == "rank" || function == "known";
    if (!unary && function != "size")
      refuse(range, "this is not a function of conditions",
             "they are dtype(x), rank(x), size(x, 0), known(x) and supports(\"Gelu\")");
    if (node.args.size() != (unary ? 1U : 2U) || !node.keywords.empty())
      refuse(range, fmt::format("{} takes {}", function, unary ? "one argument" : "an argument and an axis"));
    const auto* name = node.args[0]->get_if<script::Name>();
    const Argument* found = name ? argument(name->id) : nullptr;
    if (!found) refuse(node.args[0]->range, fmt::format("{} takes the name of an argument", function));
    const auto* tensor = std::get_if<Tensor>(&found->value);
    if (function == "known") return {tensor ? tensor->contents().has_value() : !operand(*found).undecided()};
    if (found->is_none()) return {NoValue{}};
    if (!tensor) refuse(node.args[0]->range, fmt::format("'{}' is not a tensor", name->id));
    if (function == "dtype") return {std::string(cameo::name(tensor->dtype()))};
    const std::optional<Sizes> shape = tensor->shape();
    if (!shape) return {Undecided{fmt::format("the rank of '{}' is not known", name->id)}};
    if (function == "rank") return {static_cast<double>(shape->size())};
    return size(*shape, evaluate(*node.args[1]), name->id, node.args[1]->range);
  }

  // Whether the target implements an operator. Without a target, all are implemented.
  bool supports(const script::CallExpr& node, Range range) const {
    const auto* op = node.args.size() == 1 ? node.args[0]->get_if<script::StringLiteral>() : nullptr;
    if (!op || !node.keywords.empty()) refuse(range, "supports takes the name of an operator in quotes");
    return !facts_.target || facts_.target->supports(op->value);
  }

  Operand size(const Sizes& shape, const Operand& at, std::string_view name, Range range) const {
    const std::optional<double> axis = at.number();
    const auto rank = static_cast<double>(shape.size());
    if (!axis || *axis < -rank || *axis >= rank)
      refuse(range, fmt::format("'{}' has no such axis: its rank is {}", name, shape.size()));
    Operand out = of_size(element_at(shape, *axis));
    if (const Undecided* undecided = out.undecided())
      return {Undecided{fmt::format("a size of '{}' is not known at export time, {}", name, undecided->why)}};
    return out;
  }

  Operand list(const std::vector<script::ExprPtr>& items) {
    OperandList out;
    for (const script::ExprPtr& item : items) out.push_back(evaluate(*item));
    return {std::move(out)};
  }

  Operand unary(const script::Unary& node) {
    const Operand value = evaluate(*node.operand);
    if (value.undecided()) return value;
    if (node.op == script::UnaryOp::logical_not) return {!truth(value, *node.operand)};
    if (node.op == script::UnaryOp::neg && value.number()) return {-*value.number()};
    refuse(node.operand->range, "a condition cannot contain this");
  }

  // False and undecided is false; true or undecided is true.
  Operand logical(const script::Binary& node) {
    const bool decides = node.op == script::BinaryOp::logical_or;
    const Operand left = evaluate(*node.left), right = evaluate(*node.right);
    if (!left.undecided() && truth(left, *node.left) == decides) return {decides};
    if (!right.undecided() && truth(right, *node.right) == decides) return {decides};
    return left.undecided() ? left : right.undecided() ? right : Operand{!decides};
  }

  Operand binary(const script::Binary& node) {
    using enum script::BinaryOp;
    if (node.op == logical_and || node.op == logical_or) return logical(node);
    const Operand left = evaluate(*node.left), right = evaluate(*node.right);
    for (const Operand* side : {&left, &right})
      if (const Undecided* undecided = undecided_in(*side)) return {*undecided};
    switch (node.op) {
      case eq:
      case is: return {equal(left, right)};
      case ne:
      case is_not: return {!equal(left, right)};
      case in:
      case not_in: {
        const auto* items = std::get_if<OperandList>(&right.value);
        if (!items) refuse(node.right->range, "'in' needs a list: [\"a\", \"b\"]");
        const bool found =
            std::ranges::any_of(*items, [&](const Operand& each) { return equal(left, each); });
        return {found == (node.op == in)};
      }
      default: return ordered(node, left, right);
    }
  }

  Operand ordered(const script::Binary& node, const Operand& left, const Operand& right) const {
    using enum script::BinaryOp;
    const std::optional<double> a = left.number(), b = right.number();
    if (!a) refuse(node.left->range, "this is not a number");
    if (!b) refuse(node.right->range, "this is not a number");
    switch (node.op) {
      case lt: return {*a < *b};
      case le: return {*a <= *b};
      case gt: return {*a > *b};
      case ge: return {*a >= *b};
      case mod:
        if (*b == 0) refuse(node.right->range, "this is zero");
        return {*a - *b * std::floor(*a / *b)};
      default: refuse(node.right->range, "conditions know and, or, not, in, comparisons and %");
    }
  }

  const Rule& rule_;
  const Facts& facts_;
};

}  // namespace

bool holds(const Rule& rule, const Facts& facts) {
  Condition condition(rule, facts);
  std::vector<Operand> values;
  for (const script::ExprPtr& each : rule.conditions) {
    values.push_back(condition.evaluate(*each));
    if (!values.back().undecided() && !condition.truth(values.back(), *each)) return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!condition.truth(values[i], *rule.conditions[i])) return false;
  return true;
}

}  // namespace cameo::rewrite
