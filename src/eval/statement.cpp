#include <fmt/format.h>

#include "base/overload.h"
#include "eval/branch.h"
#include "eval/evaluator.h"
#include "eval/loop.h"

namespace cameo::eval {
void Evaluator::run(Frame& frame, const script::Block& block) {
  for (const script::StmtPtr& stmt : block) {
    if (frame.returned) return;
    run(frame, *stmt);
  }
}

void Evaluator::run(Frame& frame, const script::Stmt& stmt) {
  frame.range = stmt.range;
  std::visit(
      Overload{
          [&](const script::ExprStmt& s) { evaluate(frame, *s.value); },
          [&](const script::Assign& s) { run_assign(frame, s); },
          [&](const script::AugAssign& s) {
            Value left = evaluate(frame, *s.target);
            Value right = evaluate(frame, *s.value);
            bind_target(frame, *s.target, augmented(s.op, left, right));
          },
          [&](const script::If& s) { run_if(frame, s); },
          [&](const script::For& s) { run_for(frame, s); },
          [&](const script::While& s) { run_while(frame, s); },
          [&](const script::With& s) { run_with(frame, s); },
          [&](const script::Return& s) {
            frame.result = s.value ? evaluate(frame, *s.value) : Value(None{});
            frame.returned = true;
          },
          [&](const script::Raise& s) {
            Value message = s.value ? evaluate(frame, *s.value) : Value(None{});
            const std::string* text = message.get_if<std::string>();
            raise(text ? *text : "exception");
          },
          [&](const script::Assert& s) {
            std::optional<bool> truth = decide(evaluate(frame, *s.condition));
            if (truth && !*truth) raise("AssertionError");
          },
          [&](const script::Delete& s) { run_delete(frame, s); },
          [&](const script::Pass&) {},
          [&](const script::Break&) { fail("unsupported-syntax", "'break' cannot be evaluated"); },
          [&](const script::Continue&) { fail("unsupported-syntax", "'continue' cannot be evaluated"); },
          [&](const script::FunctionDef& def) {
            assign(frame, def.name, ClosurePtr(std::make_shared<Closure>(Closure{&def, frame.environment})));
          },
      },
      stmt.node);
}

void Evaluator::run_assign(Frame& frame, const script::Assign& stmt) {
  if (stmt.targets.size() == 1 && !stmt.unpack) {
    Value value = evaluate(frame, *stmt.value);
    if (stmt.type) value = convert(*stmt.type, std::move(value));
    bind_target(frame, *stmt.targets[0], std::move(value));
    return;
  }
  std::vector<Value> values;
  const auto* written_out = stmt.value->get_if<script::TupleExpr>();
  if (written_out && !stmt.unpack && written_out->items.size() == stmt.targets.size()) {
    for (const script::ExprPtr& item : written_out->items) values.push_back(evaluate(frame, *item));
  } else {
    values = unpack(evaluate(frame, *stmt.value), stmt.targets.size());
  }
  for (std::size_t i = 0; i < values.size(); ++i) bind_target(frame, *stmt.targets[i], std::move(values[i]));
}

void Evaluator::bind_target(Frame& frame, const script::Expr& target, Value value) {
  if (const auto* name = target.get_if<script::Name>()) {
    assign(frame, name->id, std::move(value));
  } else if (const auto* attr = target.get_if<script::Attribute>()) {
    Value object = evaluate(frame, *attr->object);
    if (const ObjectPtr* pointer = object.get_if<ObjectPtr>())
      set_attribute(*pointer, attr->name, std::move(value));
    else
      fail("unsupported-syntax",
           fmt::format("cannot set attribute '{}' of {}", attr->name, describe(object)));
  } else if (const auto* item = target.get_if<script::Subscript>()) {
    Value object = evaluate(frame, *item->object);
    Value index = evaluate(frame, *item->indices.at(0));
    call_operator("aten::_set_item", {{object, index, std::move(value)}, {}});
  } else if (const auto* tuple = target.get_if<script::TupleExpr>()) {
    std::vector<Value> values = unpack(value, tuple->items.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      bind_target(frame, *tuple->items[i], std::move(values[i]));
  } else {
    fail("unsupported-syntax", "this cannot be assigned to");
  }
}

std::vector<Value> Evaluator::unpack(const Value& value, std::size_t count) {
  if (value.is<Unknown>()) return std::vector<Value>(count, Unknown{});
  std::vector<Value> items;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) {
    items = (*tuple)->items;
  } else if (const ListPtr* list = value.get_if<ListPtr>()) {
    if ((*list)->sequence) {
      for (std::size_t i = 0; i < count; ++i)
        items.push_back(call_operator("aten::__getitem__", {{value, static_cast<std::int64_t>(i)}, {}}));
      return items;
    }
    items = (*list)->items;
  } else if (count == 1) {
    return {value};
  } else {
    fail("type-mismatch", fmt::format("{} cannot be taken apart into {} values", describe(value), count));
  }
  if (items.size() != count) raise(fmt::format("expected {} values to unpack, got {}", count, items.size()));
  return items;
}

void Evaluator::run_delete(Frame& frame, const script::Delete& stmt) {
  for (const script::ExprPtr& target : stmt.targets) {
    if (const auto* name = target->get_if<script::Name>()) {
      journal_.touch(VariablePlace{frame.environment, name->id});
      frame.environment->erase(name->id);
    } else if (const auto* item = target->get_if<script::Subscript>()) {
      Value object = evaluate(frame, *item->object);
      call_operator("aten::Delete", {{object, evaluate(frame, *item->indices.at(0))}, {}});
    }
  }
}

void Evaluator::run_if(Frame& frame, const script::If& stmt) {
  Value condition_value = evaluate(frame, *stmt.condition);
  if (std::optional<bool> truth = decide(condition_value)) {
    run(frame, *truth ? stmt.then_body : stmt.else_body);
    return;
  }
  Brancher(*this, frame)
      .run(
          condition_value, [&] { run(frame, stmt.then_body); }, [&] { run(frame, stmt.else_body); });
}

void Evaluator::run_for(Frame& frame, const script::For& stmt) {
  const auto* target = stmt.target->get_if<script::Name>();
  const auto* call_node = stmt.iterable->get_if<script::CallExpr>();
  const auto* callee = call_node ? call_node->callee->get_if<script::Name>() : nullptr;
  if (!target || !callee || callee->id != "range" || call_node->args.size() != 1) {
    for (Value& item : iterate(evaluate(frame, *stmt.iterable))) {
      bind_target(frame, *stmt.target, std::move(item));
      run(frame, stmt.body);
    }
    return;
  }
  Value count = evaluate(frame, *call_node->args[0]);
  Looper(*this, frame).run_counted(target->id, count, stmt.body);
}

void Evaluator::run_while(Frame& frame, const script::While& stmt) {
  Looper(*this, frame).run_while(*stmt.condition, stmt.body);
}

void Evaluator::run_with(Frame& frame, const script::With& stmt) {
  std::vector<ObjectPtr> entered;
  for (const script::WithItem& item : stmt.items) {
    Value context = evaluate(frame, *item.context);
    Value result = context;
    if (const ObjectPtr* object = context.get_if<ObjectPtr>()) {
      entered.push_back(*object);
      if ((*object)->definition) result = call_method(*object, "__enter__", {});
    }
    if (item.target) bind_target(frame, *item.target, std::move(result));
  }
  run(frame, stmt.body);
  for (std::size_t i = entered.size(); i-- > 0;)
    if (entered[i]->definition) call_method(entered[i], "__exit__", {{None{}, None{}, None{}}, {}});
}

}  // namespace cameo::eval
