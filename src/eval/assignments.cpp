#include "eval/assignments.h"

#include <fmt/core.h>

#include "eval/expressions.h"
#include "eval/types.h"
#include "script/operators.h"

namespace cameo::eval {

void Assignments::run(Frame& frame, const script::Assign& stmt) {
  if (stmt.targets.size() == 1 && !stmt.unpack) {
    Value value = expressions_.evaluate(frame, *stmt.value);
    if (stmt.type) value = convert_to(ev_, *stmt.type, std::move(value));
    bind(frame, *stmt.targets[0], std::move(value));
    return;
  }
  std::vector<Value> values;
  const auto* written_out = stmt.value->get_if<script::TupleExpr>();
  if (written_out && !stmt.unpack && written_out->items.size() == stmt.targets.size()) {
    for (const script::ExprPtr& item : written_out->items)
      values.push_back(expressions_.evaluate(frame, *item));
  } else {
    const std::size_t results = stmt.unpack ? 1 : stmt.targets.size();
    values = unpack(expressions_.evaluate(frame, *stmt.value, results), stmt.targets.size());
  }
  for (std::size_t i = 0; i < values.size(); ++i) bind(frame, *stmt.targets[i], std::move(values[i]));
}

void Assignments::run(Frame& frame, const script::AugAssign& stmt) {
  Value left = expressions_.evaluate(frame, *stmt.target);
  Value right = expressions_.evaluate(frame, *stmt.value);
  std::string op(script::operator_of(stmt.op));
  if (left.is<CellPtr>()) op += '_';
  bind(frame, *stmt.target, ev_.caller.call_operator(op, {{left, right}, {}}));
}

void Assignments::bind(Frame& frame, const script::Expr& target, Value value) {
  if (const auto* name = target.get_if<script::Name>()) {
    ev_.memory.assign(frame.environment, name->id, std::move(value));
  } else if (const auto* attr = target.get_if<script::Attribute>()) {
    Value object = expressions_.evaluate(frame, *attr->object);
    if (const ObjectPtr* pointer = object.get_if<ObjectPtr>())
      ev_.memory.set_attribute(*pointer, attr->name, std::move(value));
    else
      ev_.reporter.fail(Code::unsupported_syntax,
                        fmt::format("cannot set attribute '{}' of {}", attr->name, describe(object)));
  } else if (const auto* item = target.get_if<script::Subscript>()) {
    Value object = expressions_.evaluate(frame, *item->object);
    Value index = expressions_.evaluate(frame, *item->indices.at(0));
    ev_.caller.call_operator("aten::_set_item", {{object, index, std::move(value)}, {}});
  } else if (const auto* tuple = target.get_if<script::TupleExpr>()) {
    std::vector<Value> values = unpack(value, tuple->items.size());
    for (std::size_t i = 0; i < values.size(); ++i) bind(frame, *tuple->items[i], std::move(values[i]));
  } else {
    ev_.reporter.fail(Code::unsupported_syntax, "the target of this assignment is not supported");
  }
}

std::vector<Value> Assignments::unpack(const Value& value, std::size_t count) {
  if (value.is<Unknown>()) return std::vector<Value>(count, Unknown{});
  std::vector<Value> items;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
    items = (*tuple)->items;
  } else if (const ListPtr* list = value.get_if<ListPtr>()) {
    if ((*list)->sequence) {
      while (items.size() < count)
        items.push_back(ev_.caller.call_operator("aten::__getitem__", {{value, std::ssize(items)}, {}}));
      return items;
    }
    items = (*list)->items;
  } else if (count == 1) {
    return {value};
  } else {
    ev_.reporter.fail(Code::type_mismatch,
                      fmt::format("{} cannot be unpacked into {} values", describe(value), count));
  }
  if (items.size() != count)
    ev_.reporter.raise(fmt::format("expected {} values to unpack, got {}", count, items.size()));
  return items;
}

}  // namespace cameo::eval
