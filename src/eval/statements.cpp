#include "eval/statements.h"

#include <fmt/core.h>

#include "base/overload.h"
#include "eval/flow/branch.h"
#include "eval/flow/loop.h"
#include "eval/rewriter.h"

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
  if (rewriter_.has_rules() && run_module(frame, stmt)) return;
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

bool Statements::run_module(Frame& frame, const script::With& stmt) {
  if (stmt.items.size() != 1) return false;
  const script::Range range = frame.range;
  const Value context = expressions_.evaluate(frame, *stmt.items[0].context);
  const ObjectPtr* object = context.get_if<ObjectPtr>();
  if (!object || !(*object)->module || ev_.caller.has_method(**object, "__enter__")) return false;
  const ObjectPtr module = *object;
  const Rewriter::Inside inside(rewriter_, module);
  ModuleBlock block;
  if (rewriter_.concerns(*module)) block = blocks_.at(*frame.file, range, stmt);
  if (!block.whole)
    ev_.reporter.fail(
        Code::rewrite_failed,
        fmt::format(
            "a rule names the module '{}', and the nodes of a call of it are not together in this program",
            module->path),
        "name the modules in it, or an operator in it");
  const Arguments arguments = arguments_of(frame, block);
  const auto run_block = [&](const Arguments& given) {
    const CallStack::Entered entered(stack_, frame);
    const std::string outer = std::exchange(frame.module_path, module->path);
    Value result = call_block(frame, stmt, block, given);
    frame.module_path = outer;
    return result;
  };
  if (rewriter_.active() && !block.gives.empty())
    assign_results(frame, block, rewriter_.call_method(module, "forward", arguments, run_block));
  else
    run_block(arguments);
  return true;
}

// The tensors that the block reads. Numbers are no arguments: they are sizes that the program computes elsewhere.
Arguments Statements::arguments_of(Frame& frame, ModuleBlock& block) {
  Arguments arguments;
  std::erase_if(block.reads, [&](std::string_view name) {
    const Value* value = frame.environment->find(name);
    if (!value || value->is<ObjectPtr>()) return true;
    const bool tensors = value->is<CellPtr>() || value->is<ListPtr>() || value->is<TuplePtr>();
    if (tensors) arguments.positional.push_back(*value);
    block.numbers = block.numbers || !tensors;
    return !tensors;
  });
  return arguments;
}

void Statements::assign_results(Frame& frame, const ModuleBlock& block, const Value& result) {
  if (block.gives.size() == 1) return ev_.memory.assign(frame.environment, block.gives[0], result);
  const TuplePtr* tuple = result.get_if<TuplePtr>();
  if (!result.is<Unknown>() && (!tuple || (*tuple)->items.size() != block.gives.size()))
    ev_.reporter.fail(Code::rewrite_failed,
                      fmt::format("a module has {} results in this program, and its replacement gives {}",
                                  block.gives.size(), describe(result)));
  for (std::size_t i = 0; i < block.gives.size(); ++i)
    ev_.memory.assign(frame.environment, block.gives[i], tuple ? (*tuple)->items[i] : Value(Unknown{}));
}

// Runs the block with other values for the variables that it reads. These have their values again afterwards,
// unless the block assigns them.
Value Statements::call_block(Frame& frame, const script::With& stmt, const ModuleBlock& block,
                             const Arguments& arguments) {
  if (arguments.count() != block.reads.size() || !arguments.keywords.empty())
    ev_.reporter.fail(Code::rewrite_failed, fmt::format("origin takes {} arguments here, but {} were given",
                                                        block.reads.size(), arguments.count()));
  std::vector<Value> before;
  for (std::size_t i = 0; i < block.reads.size(); ++i) {
    before.push_back(*frame.environment->find(block.reads[i]));
    if (same(before[i], arguments.positional[i])) continue;
    if (block.numbers &&
        ev_.values.tensor(before[i])->type != ev_.values.tensor(arguments.positional[i])->type)
      ev_.reporter.fail(
          Code::rewrite_failed,
          "origin needs tensors of the same type and shape as those of the call here, because this "
          "program computes sizes of the module outside of it");
    ev_.memory.assign(frame.environment, block.reads[i], arguments.positional[i]);
  }
  if (stmt.items[0].target)
    assignments_.bind(frame, *stmt.items[0].target, expressions_.evaluate(frame, *stmt.items[0].context));
  run(frame, stmt.body);
  std::vector<Value> results;
  for (const std::string_view name : block.gives) results.push_back(*frame.environment->find(name));
  for (std::size_t i = 0; i < block.reads.size(); ++i)
    if (const Value* now = frame.environment->find(block.reads[i]);
        now && same(*now, arguments.positional[i]) && !same(before[i], *now))
      ev_.memory.assign(frame.environment, block.reads[i], before[i]);
  if (results.size() == 1) return results[0];
  return make_tuple(std::move(results));
}

}  // namespace cameo::eval
