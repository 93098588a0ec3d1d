#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "raw/lowering.h"

namespace cameo::raw {
namespace {

void collect_targets(const script::Expr& target, std::vector<std::string_view>& names) {
  if (const auto* tuple = target.get_if<script::TupleExpr>())
    for (const script::ExprPtr& item : tuple->items) collect_targets(*item, names);
  else if (const auto* name = target.get_if<script::Name>())
    if (std::ranges::find(names, name->id) == names.end()) names.push_back(name->id);
}

// The variables that a block assigns, in the order of their first assignment.
void collect_assigned(const script::Block& block, std::vector<std::string_view>& names) {
  for (const script::StmtPtr& stmt : block) {
    if (const auto* assign = stmt->get_if<script::Assign>()) {
      for (const script::ExprPtr& target : assign->targets) collect_targets(*target, names);
    } else if (const auto* branch = stmt->get_if<script::If>()) {
      collect_assigned(branch->then_body, names);
      collect_assigned(branch->else_body, names);
    } else if (const auto* loop = stmt->get_if<script::For>()) {
      collect_assigned(loop->body, names);
    } else if (const auto* repeat = stmt->get_if<script::While>()) {
      collect_assigned(repeat->body, names);
    }
  }
}

}  // namespace

void Lowering::run(const script::Block& block) {
  for (const script::StmtPtr& stmt : block) {
    if (result_) return;
    run(*stmt);
  }
}

void Lowering::run(const script::Stmt& stmt) {
  if (const auto* expression = stmt.get_if<script::ExprStmt>()) {
    targets_ = 1;
    evaluate(*expression->value);
  } else if (const auto* assign = stmt.get_if<script::Assign>()) {
    run_assign(*assign);
  } else if (const auto* branch = stmt.get_if<script::If>()) {
    run_if(*branch);
  } else if (const auto* loop = stmt.get_if<script::For>()) {
    const auto* counter = loop->target->get_if<script::Name>();
    const auto* range = loop->iterable->get_if<script::CallExpr>();
    if (!counter || !range || range->args.size() != 1) refuse("a loop over anything but range(n)");
    run_loop(operand(*range->args[0]), nullptr, counter->id, loop->body);
  } else if (const auto* repeat = stmt.get_if<script::While>()) {
    run_loop(integer(std::numeric_limits<std::int64_t>::max()), repeat->condition.get(), {}, repeat->body);
  } else if (const auto* returned = stmt.get_if<script::Return>()) {
    if (graph_ != function_graph_) refuse("a return from within a branch");
    result_ = returned->value ? evaluate(*returned->value) : Item(none());
  } else if (const auto* raised = stmt.get_if<script::Raise>()) {
    node("prim::RaiseException", {raised->value ? operand(*raised->value) : none()}, {}, 0);
  } else if (!stmt.get_if<script::Pass>()) {
    refuse("this statement");
  }
}

void Lowering::run_assign(const script::Assign& stmt) {
  if (stmt.targets.size() == 1 && !stmt.unpack) {
    targets_ = 1;
    bind(*stmt.targets[0], evaluate(*stmt.value));
    return;
  }
  std::vector<Item> items;
  const auto* written_out = stmt.value->get_if<script::TupleExpr>();
  if (written_out && !stmt.unpack) {
    for (const script::ExprPtr& item : written_out->items) items.push_back(evaluate(*item));
  } else {
    targets_ = stmt.unpack ? 1 : stmt.targets.size();
    onnx::Value* whole = operand(*stmt.value);
    std::vector<onnx::Value*> parts;
    if (!stmt.unpack && whole->producer && whole->producer->outputs.size() == stmt.targets.size())
      parts = whole->producer->outputs;
    else
      parts = node(lists_.contains(whole) ? "prim::ListUnpack" : "prim::TupleUnpack", {whole}, {},
                   stmt.targets.size());
    items.assign(parts.begin(), parts.end());
  }
  if (items.size() != stmt.targets.size()) refuse("an assignment of another number of values");
  for (std::size_t i = 0; i < items.size(); ++i) bind(*stmt.targets[i], items[i]);
}

void Lowering::bind(const script::Expr& target, const Item& item) {
  if (const auto* variable = target.get_if<script::Name>()) {
    if (onnx::Value* const* made = std::get_if<onnx::Value*>(&item); made && (*made)->producer)
      if ((*made)->name.empty() && (*made)->producer->op != "Constant") (*made)->name = variable->id;
    variables_->insert_or_assign(variable->id, item);
  } else if (const auto* member = target.get_if<script::Attribute>()) {
    const Item object = evaluate(*member->object);
    const eval::ObjectPtr* module = std::get_if<eval::ObjectPtr>(&object);
    if (!module) refuse("an attribute of this value");
    node("prim::SetAttr", {value(item)},
         {{"name", fmt::format("{}{}{}", (*module)->path, (*module)->path.empty() ? "" : ".", member->name)}},
         0);
  } else if (const auto* element = target.get_if<script::Subscript>()) {
    node("aten::_set_item", {operand(*element->object), operand(*element->indices.at(0)), value(item)});
  } else {
    refuse("this target of an assignment");
  }
}

void Lowering::run_if(const script::If& stmt) {
  onnx::Value* condition = operand(*stmt.condition);
  std::vector<std::string_view> first, second, results;
  collect_assigned(stmt.then_body, first);
  collect_assigned(stmt.else_body, second);
  Environment* outer = variables_;
  auto has = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (std::string_view name : first)
    if (has(second, name) || outer->contains(name)) results.push_back(name);
  for (std::string_view name : second)
    if (!has(first, name) && outer->contains(name)) results.push_back(name);
  onnx::Graph* parent = graph_;
  std::vector<onnx::Graph*> blocks;
  for (const script::Block* body : {&stmt.then_body, &stmt.else_body}) {
    Environment inside = *outer;
    variables_ = &inside;
    graph_ = model_.add_graph(parent, fmt::format("block{}", blocks.size()));
    run(*body);
    for (std::string_view name : results) graph_->outputs.push_back(value(inside.at(name)));
    blocks.push_back(graph_);
  }
  graph_ = parent;
  variables_ = outer;
  const std::vector<onnx::Value*> values =
      node("prim::If", {condition}, {{"_blocks", blocks}}, results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (lists_.contains(blocks[0]->outputs[i])) lists_.insert(values[i]);
    values[i]->name = results[i];
    outer->insert_or_assign(results[i], values[i]);
  }
}

void Lowering::run_loop(onnx::Value* count, const script::Expr* condition, std::string_view counter,
                        const script::Block& body) {
  std::vector<std::string_view> assigned, carried;
  collect_assigned(body, assigned);
  const auto* tested = condition ? condition->get_if<script::Name>() : nullptr;
  Environment* outer = variables_;
  for (std::string_view name : assigned)
    if (outer->contains(name) && !(tested && tested->id == name)) carried.push_back(name);
  std::vector<onnx::Value*> inputs{count, condition ? operand(*condition) : boolean(true)};
  for (std::string_view name : carried) inputs.push_back(value(outer->at(name)));
  onnx::Graph* parent = graph_;
  graph_ = model_.add_graph(parent, "block0");
  Environment inside = *outer;
  auto add_input = [&](std::string_view name) {
    onnx::Value* input =
        model_.add_value({onnx::Type::Kind::unknown, DType::f32, std::nullopt}, std::string(name));
    input->graph = graph_;
    graph_->inputs.push_back(input);
    if (!name.empty()) inside.insert_or_assign(name, input);
  };
  add_input(counter);
  for (std::string_view name : carried) add_input(name);
  variables_ = &inside;
  run(body);
  graph_->outputs.push_back(condition ? operand(*condition) : boolean(true));
  for (std::string_view name : carried) graph_->outputs.push_back(value(inside.at(name)));
  onnx::Graph* block = std::exchange(graph_, parent);
  variables_ = outer;
  const std::vector<onnx::Value*> values =
      node("prim::Loop", std::move(inputs), {{"_blocks", std::vector<onnx::Graph*>{block}}}, carried.size());
  for (std::size_t i = 0; i < carried.size(); ++i) {
    values[i]->name = carried[i];
    outer->insert_or_assign(carried[i], values[i]);
  }
}

}  // namespace cameo::raw
