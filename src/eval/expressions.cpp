#include "eval/expressions.h"

#include <fmt/core.h>

#include <limits>

#include "base/overload.h"
#include "eval/assignments.h"
#include "eval/call_expressions.h"
#include "eval/flow/branch.h"
#include "script/operators.h"

namespace cameo::eval {

Value Expressions::evaluate(Frame& frame, const script::Expr& expr, std::size_t results) {
  return std::visit(
      Overload{
          [](const script::NoneLiteral&) -> Value { return None{}; },
          [](const script::BoolLiteral& n) -> Value { return n.value; },
          [](const script::IntLiteral& n) -> Value { return n.value; },
          [](const script::FloatLiteral& n) -> Value { return n.value; },
          [](const script::ImaginaryLiteral& n) -> Value { return std::complex<double>(0, n.value); },
          [](const script::StringLiteral& n) -> Value { return n.value; },
          [&](const script::EllipsisLiteral&) -> Value {
            ev_.reporter.fail(Code::unsupported_syntax, "'...' cannot be evaluated");
          },
          [&](const script::Name& n) -> Value { return name(frame, n.id); },
          [&](const script::Attribute& n) -> Value { return attribute(frame, n); },
          [&](const script::CallExpr& n) -> Value {
            script::Range outer = std::exchange(frame.range, expr.range);
            Value result = calls_.evaluate(frame, n, results);
            frame.range = outer;
            return result;
          },
          [&](const script::SliceExpr&) -> Value {
            ev_.reporter.fail(Code::unsupported_syntax, "a slice is not supported outside of brackets");
          },
          [&](const script::Subscript& n) -> Value { return subscript(frame, n); },
          [&](const script::TupleExpr& n) -> Value { return make_tuple(evaluate_all(frame, n.items)); },
          [&](const script::ListExpr& n) -> Value {
            return ev_.memory.make_list(evaluate_all(frame, n.items));
          },
          [&](const script::DictExpr& n) -> Value { return dict(frame, n); },
          [&](const script::ListComprehension& n) -> Value { return comprehension(frame, n); },
          [&](const script::Starred&) -> Value {
            ev_.reporter.fail(Code::unsupported_syntax, "a starred expression is not supported here");
          },
          [&](const script::Unary& n) -> Value { return unary(frame, n); },
          [&](const script::Binary& n) -> Value { return binary(frame, n); },
          [&](const script::Conditional& n) -> Value { return conditional(frame, n); },
      },
      expr.node);
}

std::vector<Value> Expressions::evaluate_all(Frame& frame, const std::vector<script::ExprPtr>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const script::ExprPtr& item : items) values.push_back(evaluate(frame, *item));
  return values;
}

Value Expressions::constant(const script::Expr& expr, const script::SourceFile& file) {
  const Time now = ev_.memory.journal().now();
  Frame frame{&file, std::make_shared<Environment>(now), {}, {}, expr.range, false, {}};
  return evaluate(frame, expr);
}

Value Expressions::name(const Frame& frame, std::string_view id) const {
  if (const Value* local = frame.environment->find(id)) {
    if (const Conflict* conflict = local->get_if<Conflict>())
      ev_.reporter.fail(Code::undetermined_value,
                        fmt::format("'{}' cannot be used here: {}", id, conflict->reason));
    return *local;
  }
  if (id == "inf") return std::numeric_limits<double>::infinity();
  if (id == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (id == "infj") return std::complex<double>(0, std::numeric_limits<double>::infinity());
  if (id == "nanj") return std::complex<double>(0, std::numeric_limits<double>::quiet_NaN());
  ev_.reporter.fail(Code::undefined_name, fmt::format("'{}' is not defined", id));
}

Value Expressions::attribute(Frame& frame, const script::Attribute& node) {
  if (std::optional<std::string> qualified = qualified_name(frame, node))
    return definitions_.resolve(*qualified);
  return attribute_of(evaluate(frame, *node.object), node.name);
}

std::optional<std::string> Expressions::qualified_name(const Frame& frame,
                                                       const script::Attribute& node) const {
  std::string text(node.name);
  const script::Expr* object = node.object.get();
  while (const auto* outer = object->get_if<script::Attribute>()) {
    text = fmt::format("{}.{}", outer->name, text);
    object = outer->object.get();
  }
  const auto* first = object->get_if<script::Name>();
  if (!first || frame.environment->find(first->id)) return std::nullopt;
  return fmt::format("{}.{}", first->id, text);
}

Value Expressions::attribute_of_object(const Object& object, std::string_view name) {
  auto found = object.attributes.find(name);
  if (found != object.attributes.end()) {
    if (const Conflict* conflict = found->second.get_if<Conflict>())
      ev_.reporter.fail(Code::undetermined_value,
                        fmt::format("attribute '{}' cannot be used here: {}", name, conflict->reason));
    return found->second;
  }
  if (std::optional<Value> constant = definitions_.class_constant(object, name)) return *constant;
  ev_.reporter.fail(Code::undefined_attribute,
                    fmt::format("'{}' has no attribute '{}'", script::demangle(object.cls), name));
}

Value Expressions::attribute_of(const Value& object, std::string_view name) {
  if (object.is<Unknown>()) return Unknown{};
  if (const ObjectPtr* pointer = object.get_if<ObjectPtr>()) return attribute_of_object(**pointer, name);
  if (const TuplePtr* tuple = object.get_if<TuplePtr>()) {
    for (std::size_t i = 0; i < (*tuple)->fields.size(); ++i)
      if ((*tuple)->fields[i] == name) return (*tuple)->items[i];
  }
  if (const EnumMember* member = object.get_if<EnumMember>()) {
    if (name == "value") return *member->value;
    if (name == "name") return member->name;
  }
  if (object.is<CellPtr>() || object.is<Device>())
    return ev_.caller.call_operator(fmt::format("prim::{}", name), {{object}, {}});
  ev_.reporter.fail(Code::undefined_attribute,
                    fmt::format("{} has no attribute '{}'", describe(object), name));
}

Value Expressions::subscript(Frame& frame, const script::Subscript& node) {
  Value object = evaluate(frame, *node.object);
  if (object.is<Unknown>()) return Unknown{};
  const script::Expr& index = *node.indices.at(0);
  if (const auto* slice = index.get_if<script::SliceExpr>()) {
    auto bound = [&](const script::ExprPtr& e) { return e ? evaluate(frame, *e) : Value(None{}); };
    return ev_.caller.call_operator("aten::slice",
                                    {{object, bound(slice->start), bound(slice->stop),
                                      slice->step ? evaluate(frame, *slice->step) : Value(std::int64_t{1})},
                                     {}});
  }
  Value at = evaluate(frame, index);
  if (object.is<CellPtr>())
    return ev_.caller.call_operator("aten::select", {{object, std::int64_t{0}, at}, {}});
  if (const ObjectPtr* module = object.get_if<ObjectPtr>()) return container_item(*module, at);
  return ev_.caller.call_operator("aten::__getitem__", {{object, at}, {}});
}

// A module of a ModuleList or ModuleDict by a key.
Value Expressions::container_item(const ObjectPtr& module, const Value& key) {
  if (const std::string* text = key.get_if<std::string>()) return attribute_of(module, *text);
  std::int64_t index = known_int(key, "the index of a module");
  if (index < 0) {
    std::int64_t count = 0;
    while (module->attributes.contains(std::to_string(count))) ++count;
    index += count;
  }
  return attribute_of(module, std::to_string(index));
}

Value Expressions::dict(Frame& frame, const script::DictExpr& node) {
  Value result = ev_.memory.make_dict({});
  for (const auto& [key, item] : node.items)
    ev_.caller.call_operator("aten::_set_item",
                             {{result, evaluate(frame, *key), evaluate(frame, *item)}, {}});
  return result;
}

Value Expressions::unary(Frame& frame, const script::Unary& node) {
  Value operand = evaluate(frame, *node.operand);
  switch (node.op) {
    case script::UnaryOp::neg: return ev_.caller.call_operator("aten::neg", {{operand}, {}});
    case script::UnaryOp::pos: return operand;
    case script::UnaryOp::invert: return ev_.caller.call_operator("aten::bitwise_not", {{operand}, {}});
    default: return ev_.caller.call_operator("aten::__not__", {{operand}, {}});
  }
}

Value Expressions::binary(Frame& frame, const script::Binary& node) {
  using enum script::BinaryOp;
  if (node.op == logical_and || node.op == logical_or) {
    Value left = evaluate(frame, *node.left);
    if (std::optional<bool> truth = ev_.values.decide(left)) {
      if (*truth == (node.op == logical_or)) return left;
      return evaluate(frame, *node.right);
    }
    Value right = evaluate(frame, *node.right);
    return ev_.caller.call_operator(node.op == logical_and ? "aten::__and__" : "aten::__or__",
                                    {{left, right}, {}});
  }
  Value left = evaluate(frame, *node.left);
  Value right = evaluate(frame, *node.right);
  if (node.op == not_in)
    return ev_.caller.call_operator(
        "aten::__not__", {{ev_.caller.call_operator("aten::__contains__", {{right, left}, {}})}, {}});
  if (node.op == in) return ev_.caller.call_operator("aten::__contains__", {{right, left}, {}});
  return ev_.caller.call_operator(script::operator_of(node.op), {{left, right}, {}});
}

Value Expressions::conditional(Frame& frame, const script::Conditional& node) {
  Value condition_value = evaluate(frame, *node.condition);
  if (std::optional<bool> truth = ev_.values.decide(condition_value))
    return evaluate(frame, *truth ? *node.then_value : *node.else_value);
  return Brancher(ev_, frame)
      .choose(
          condition_value, [&] { return evaluate(frame, *node.then_value); },
          [&] { return evaluate(frame, *node.else_value); });
}

std::vector<Value> Expressions::iterate(const Value& value) {
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) return (*tuple)->items;
  if (const ListPtr* list = value.get_if<ListPtr>(); list && !(*list)->sequence) return (*list)->items;
  if (const DictPtr* dict = value.get_if<DictPtr>()) {
    std::vector<Value> keys;
    for (const auto& [key, item] : (*dict)->items) keys.push_back(key);
    return keys;
  }
  if (const std::string* text = value.get_if<std::string>()) {
    std::vector<Value> characters;
    for (char c : *text) characters.emplace_back(std::string(1, c));
    return characters;
  }
  if (value.is<CellPtr>()) {
    Value count = ev_.caller.call_operator("aten::size", {{value, std::int64_t{0}}, {}});
    std::vector<Value> rows;
    for (std::int64_t i = 0, n = known_int(count, "the number of rows to iterate over"); i < n; ++i)
      rows.push_back(ev_.caller.call_operator("aten::select", {{value, std::int64_t{0}, i}, {}}));
    return rows;
  }
  ev_.reporter.fail(Code::unsupported_syntax, fmt::format("{} cannot be iterated over", describe(value)));
}

Value Expressions::comprehension(Frame& frame, const script::ListComprehension& node) {
  std::vector<Value> items;
  for (Value& item : iterate(evaluate(frame, *node.iterable))) {
    assignments_.bind(frame, *node.target, std::move(item));
    items.push_back(evaluate(frame, *node.element));
  }
  return ev_.memory.make_list(std::move(items));
}

}  // namespace cameo::eval
