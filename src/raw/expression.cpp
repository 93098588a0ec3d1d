#include <fmt/core.h>

#include <limits>

#include "raw/lowering.h"
#include "script/operators.h"

namespace cameo::raw {
namespace {

std::string_view kind_of(script::UnaryOp op) {
  switch (op) {
    case script::UnaryOp::neg: return "aten::neg";
    case script::UnaryOp::pos: return "aten::pos";
    case script::UnaryOp::invert: return "aten::bitwise_not";
    case script::UnaryOp::logical_not: return "aten::__not__";
  }
  return {};
}

}  // namespace

std::vector<onnx::Value*> Lowering::operands(const std::vector<script::ExprPtr>& items) {
  std::vector<onnx::Value*> values;
  for (const script::ExprPtr& item : items) values.push_back(operand(*item));
  return values;
}

Item Lowering::evaluate(const script::Expr& expr) {
  if (const auto* node = expr.get_if<script::CallExpr>()) return call(*node);
  targets_ = 1;
  if (expr.get_if<script::NoneLiteral>()) return none();
  if (const auto* flag = expr.get_if<script::BoolLiteral>()) return boolean(flag->value);
  if (const auto* number = expr.get_if<script::IntLiteral>()) return integer(number->value);
  if (const auto* number = expr.get_if<script::FloatLiteral>()) return real(number->value);
  if (const auto* string = expr.get_if<script::StringLiteral>()) return text(string->value);
  if (const auto* variable = expr.get_if<script::Name>()) {
    if (auto found = variables_->find(variable->id); found != variables_->end()) return found->second;
    if (variable->id == "inf") return real(std::numeric_limits<double>::infinity());
    if (variable->id == "nan") return real(std::numeric_limits<double>::quiet_NaN());
    ev_.reporter().fail(Code::undefined_name, fmt::format("'{}' is not defined", variable->id));
  }
  if (const auto* member = expr.get_if<script::Attribute>()) return attribute(*member);
  if (const auto* element = expr.get_if<script::Subscript>()) return subscript(*element);
  if (const auto* tuple = expr.get_if<script::TupleExpr>())
    return node("prim::TupleConstruct", operands(tuple->items));
  if (const auto* list = expr.get_if<script::ListExpr>()) {
    onnx::Value* made = node("prim::ListConstruct", operands(list->items));
    lists_.insert(made);
    return made;
  }
  if (const auto* dict = expr.get_if<script::DictExpr>()) {
    std::vector<onnx::Value*> entries;
    for (const auto& [key, item] : dict->items) {
      entries.push_back(operand(*key));
      entries.push_back(operand(*item));
    }
    return node("prim::DictConstruct", std::move(entries));
  }
  if (const auto* unary = expr.get_if<script::Unary>())
    return node(kind_of(unary->op), {operand(*unary->operand)});
  if (const auto* binary = expr.get_if<script::Binary>()) {
    onnx::Value *left = operand(*binary->left), *right = operand(*binary->right);
    const bool membership = binary->op == script::BinaryOp::in || binary->op == script::BinaryOp::not_in;
    if (membership) std::swap(left, right);
    onnx::Value* made = node(script::operator_of(binary->op), {left, right});
    return binary->op == script::BinaryOp::not_in ? node("aten::__not__", {made}) : made;
  }
  if (const auto* choice = expr.get_if<script::Conditional>()) return conditional(*choice);
  refuse("this expression");
}

std::optional<std::string> Lowering::qualified_name(const script::Attribute& node) const {
  std::string name(node.name);
  const script::Expr* object = node.object.get();
  while (const auto* outer = object->get_if<script::Attribute>()) {
    name = fmt::format("{}.{}", outer->name, name);
    object = outer->object.get();
  }
  const auto* first = object->get_if<script::Name>();
  if (!first || variables_->contains(first->id)) return std::nullopt;
  return fmt::format("{}.{}", first->id, name);
}

Item Lowering::resolve(const std::string& name) {
  const script::Program& program = ev_.program();
  if (name.starts_with("CONSTANTS.c")) {
    const std::size_t index = std::stoul(name.substr(11));
    if (index >= program.constants().size())
      ev_.reporter().fail(Code::bad_constant, fmt::format("there is no constant '{}'", name));
    const eval::Value loaded =
        ev_.loader().load(program.constants()[index], fmt::format("constants.{}", index));
    if (const eval::CellPtr* cell = loaded.get_if<eval::CellPtr>())
      return constant(name, {{"value", (*cell)->tensor->data}});
    return import(loaded);
  }
  if (auto function = program.find_function(name)) return eval::FunctionRef{function, name};
  if (auto cls = program.find_class(name)) return eval::ClassRef{cls, name};
  refuse(fmt::format("'{}'", name));
}

Item Lowering::attribute(const script::Attribute& node) {
  if (std::optional<std::string> qualified = qualified_name(node)) return resolve(*qualified);
  const Item object = evaluate(*node.object);
  if (const eval::ObjectPtr* module = std::get_if<eval::ObjectPtr>(&object))
    return attribute_of(*module, node.name);
  return this->node("prim::" + std::string(node.name), {value(object)});
}

const std::set<std::string_view>& Lowering::assigned_attributes(const script::ClassDef& cls) {
  auto [found, fresh] = assigned_.try_emplace(&cls);
  std::set<std::string_view>& names = found->second;
  if (!fresh) return names;
  std::function<void(const script::Block&)> collect = [&](const script::Block& block) {
    for (const script::StmtPtr& stmt : block) {
      if (const auto* assign = stmt->get_if<script::Assign>()) {
        for (const script::ExprPtr& target : assign->targets)
          if (const auto* member = target->get_if<script::Attribute>()) names.insert(member->name);
      } else if (const auto* branch = stmt->get_if<script::If>()) {
        collect(branch->then_body);
        collect(branch->else_body);
      } else if (const auto* loop = stmt->get_if<script::For>()) {
        collect(loop->body);
      } else if (const auto* repeat = stmt->get_if<script::While>()) {
        collect(repeat->body);
      }
    }
  };
  for (const script::FunctionDef& method : cls.methods) collect(method.body);
  return names;
}

Item Lowering::attribute_of(const eval::ObjectPtr& object, std::string_view name) {
  if (object->definition && assigned_attributes(*object->definition.def).contains(name))
    return node("prim::GetAttr", {},
                {{"name", fmt::format("{}{}{}", object->path, object->path.empty() ? "" : ".", name)}});
  if (auto found = object->attributes.find(name); found != object->attributes.end())
    return import(found->second);
  if (object->definition)
    for (const script::Field& field : object->definition.def->fields)
      if (field.name == name && field.value) return evaluate(*field.value);
  ev_.reporter().fail(Code::undefined_attribute,
                      fmt::format("'{}' has no attribute '{}'", script::demangle(object->cls), name));
}

Item Lowering::subscript(const script::Subscript& node) {
  const Item whole = evaluate(*node.object);
  if (const eval::ObjectPtr* module = std::get_if<eval::ObjectPtr>(&whole))
    if (const auto* index = node.indices.at(0)->get_if<script::IntLiteral>())
      return attribute_of(*module, std::to_string(index->value));
  onnx::Value* object = value(whole);
  if (const auto* slice = node.indices.at(0)->get_if<script::SliceExpr>()) {
    auto bound = [&](const script::ExprPtr& expr) { return expr ? operand(*expr) : none(); };
    onnx::Value *start = bound(slice->start), *stop = bound(slice->stop);
    onnx::Value* made =
        this->node("aten::slice", {object, start, stop, slice->step ? operand(*slice->step) : integer(1)});
    lists_.insert(made);
    return made;
  }
  const bool tuple = object->producer && object->producer->op == "TupleConstruct";
  return this->node(tuple ? "prim::TupleIndex" : "aten::__getitem__", {object, operand(*node.indices[0])});
}

Item Lowering::conditional(const script::Conditional& node) {
  onnx::Value* condition = operand(*node.condition);
  onnx::Graph* parent = graph_;
  std::vector<onnx::Graph*> blocks;
  for (const script::Expr* side : {node.then_value.get(), node.else_value.get()}) {
    graph_ = model_.add_graph(parent, fmt::format("block{}", blocks.size()));
    graph_->outputs.push_back(operand(*side));
    blocks.push_back(graph_);
  }
  graph_ = parent;
  return this->node("prim::If", {condition}, {{"_blocks", blocks}});
}

}  // namespace cameo::raw
