#include "eval/statements.h"

#include "base/overload.h"
#include "eval/flow/branch.h"
#include "eval/flow/loop.h"

namespace cameo::eval {

void Statements::run(Frame& frame, const script::Block& block) {
  for (const script::StmtPtr& stmt : block) {
    if (frame.returned) return;
    run(frame, *stmt);
  }
}

void Statements::run(Frame& frame, const script::Stmt& stmt) {
  frame.range = stmt.range;
  std::visit(Overload{
                 [&](const script::ExprStmt& s) { expressions_.evaluate(frame, *s.value); },
                 [&](const script::Assign& s) { assignments_.run(frame, s); },
                 [&](const script::AugAssign& s) { assignments_.run(frame, s); },
                 [&](const script::If& s) { run_if(frame, s); },
                 [&](const script::For& s) { run_for(frame, s); },
                 [&](const script::While& s) { run_while(frame, s); },
                 [&](const script::With& s) { run_with(frame, s); },
                 [&](const script::Return& s) {
                   frame.result = s.value ? expressions_.evaluate(frame, *s.value) : Value(None{});
                   frame.returned = true;
                 },
                 [&](const script::Raise& s) {
                   Value message = s.value ? expressions_.evaluate(frame, *s.value) : Value(None{});
                   const std::string* text = message.get_if<std::string>();
                   ev_.reporter.raise(text ? *text : "exception");
                 },
                 [&](const script::Assert& s) {
                   std::optional<bool> truth = ev_.values.decide(expressions_.evaluate(frame, *s.condition));
                   if (truth && !*truth) ev_.reporter.raise("AssertionError");
                 },
                 [&](const script::Delete& s) { run_delete(frame, s); },
                 [&](const script::Pass&) {},
                 [&](const script::Break&) {
                   ev_.reporter.fail(Code::unsupported_syntax, "'break' cannot be evaluated");
                 },
                 [&](const script::Continue&) {
                   ev_.reporter.fail(Code::unsupported_syntax, "'continue' cannot be evaluated");
                 },
                 [&](const script::FunctionDef& def) {
                   ev_.memory.assign(frame.environment, def.name,
                                     ClosurePtr(std::make_shared<Closure>(Closure{&def, frame.environment})));
                 },
             },
             stmt.node);
}

void Statements::run_delete(Frame& frame, const script::Delete& stmt) {
  for (const script::ExprPtr& target : stmt.targets) {
    if (const auto* name = target->get_if<script::Name>()) {
      ev_.memory.erase(frame.environment, name->id);
    } else if (const auto* item = target->get_if<script::Subscript>()) {
      Value object = expressions_.evaluate(frame, *item->object);
      ev_.caller.call_operator("aten::Delete",
                               {{object, expressions_.evaluate(frame, *item->indices.at(0))}, {}});
    }
  }
}

void Statements::run_if(Frame& frame, const script::If& stmt) {
  Value condition_value = expressions_.evaluate(frame, *stmt.condition);
  if (std::optional<bool> truth = ev_.values.decide(condition_value)) {
    run(frame, *truth ? stmt.then_body : stmt.else_body);
    return;
  }
  Brancher(ev_, frame)
      .run(
          condition_value, [&] { run(frame, stmt.then_body); }, [&] { run(frame, stmt.else_body); });
}

void Statements::run_for(Frame& frame, const script::For& stmt) {
  const auto* target = stmt.target->get_if<script::Name>();
  const auto* call_node = stmt.iterable->get_if<script::CallExpr>();
  const auto* callee = call_node ? call_node->callee->get_if<script::Name>() : nullptr;
  if (!target || !callee || callee->id != "range" || call_node->args.size() != 1) {
    for (Value& item : expressions_.iterate(expressions_.evaluate(frame, *stmt.iterable))) {
      assignments_.bind(frame, *stmt.target, std::move(item));
      run(frame, stmt.body);
    }
    return;
  }
  Value count = expressions_.evaluate(frame, *call_node->args[0]);
  Looper(ev_, frame, unroll_).run_counted(target->id, count, [&] { run(frame, stmt.body); });
}

void Statements::run_while(Frame& frame, const script::While& stmt) {
  Looper(ev_, frame, unroll_)
      .run_while([&] { return expressions_.evaluate(frame, *stmt.condition); },
                 [&] { run(frame, stmt.body); });
}

// A module is entered without a call: the nodes of the body belong to it. Other objects have __enter__ and
// __exit__.
void Statements::run_with(Frame& frame, const script::With& stmt) {
  std::vector<ObjectPtr> entered;
  const std::string outer_module = frame.module_path;
  for (const script::WithItem& item : stmt.items) {
    Value context = expressions_.evaluate(frame, *item.context);
    Value result = context;
    const ObjectPtr* object = context.get_if<ObjectPtr>();
    if (object && (*object)->module && !ev_.caller.has_method(**object, "__enter__")) {
      frame.module_path = (*object)->path;
    } else if (object) {
      entered.push_back(*object);
      if ((*object)->definition) result = ev_.caller.call_method(*object, "__enter__", {});
    }
    if (item.target) assignments_.bind(frame, *item.target, std::move(result));
  }
  run(frame, stmt.body);
  frame.module_path = outer_module;
  for (std::size_t i = entered.size(); i-- > 0;)
    if (entered[i]->definition)
      ev_.caller.call_method(entered[i], "__exit__", {{None{}, None{}, None{}}, {}});
}

}  // namespace cameo::eval
