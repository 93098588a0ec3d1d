#include <fmt/core.h>

#include "raw/lowering.h"

namespace cameo::raw {
namespace {

constexpr std::size_t kMaxDepth = 400;

// The functions of TorchScript that are operators under another name.
std::string_view operator_named(std::string_view function) {
  constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
      {"int", "aten::Int"},         {"float", "aten::Float"}, {"bool", "aten::Bool"},
      {"complex", "aten::Complex"}, {"str", "aten::str"},     {"len", "aten::len"},
      {"sorted", "aten::sorted"},   {"list", "aten::list"},   {"min", "prim::min"},
      {"max", "prim::max"},         {"abs", "prim::abs"},     {"sum", "aten::sum"},
      {"round", "aten::round"},     {"print", "prim::Print"},
  };
  for (const auto& [name, kind] : kOperators)
    if (name == function) return kind;
  return {};
}

bool gives_list(std::string_view kind, std::size_t inputs) {
  if (kind == "aten::size" || kind == "prim::shape") return inputs == 1;
  const auto overloads = aten::Registry::builtin().find(kind);
  return !overloads.empty() && overloads.front()->schema.return_count == 1 &&
         overloads.front()->schema.returns[0].list;
}

}  // namespace

Arguments Lowering::arguments(const script::CallExpr& node) {
  Arguments out;
  for (const script::ExprPtr& argument : node.args) out.positional.push_back(evaluate(*argument));
  for (const script::Keyword& keyword : node.keywords)
    out.keywords.emplace_back(keyword.name, evaluate(*keyword.value));
  return out;
}

Item Lowering::call_operator(const std::string& kind, const script::CallExpr& node) {
  const std::size_t targets = std::exchange(targets_, 1);
  std::vector<onnx::Value*> inputs;
  std::vector<std::string> names;
  const Arguments given = arguments(node);
  for (const Item& item : given.positional) inputs.push_back(value(item));
  for (const auto& [name, item] : given.keywords) {
    inputs.push_back(value(item));
    names.emplace_back(name);
  }
  onnx::Attributes attributes;
  if (!names.empty()) attributes.push_back({"_keywords", std::move(names)});
  const bool list = gives_list(kind, inputs.size());
  const bool silent = kind == "prim::RaiseException" || kind == "prim::Print";
  const std::vector<onnx::Value*> made =
      this->node(kind, std::move(inputs), std::move(attributes), silent ? 0 : targets);
  if (made.empty()) return none();
  if (list) lists_.insert(made.front());
  return made.front();
}

Item Lowering::call(const script::CallExpr& node) {
  if (const auto* name = node.callee->get_if<script::Name>()) return call_name(name->id, node);
  const auto* member = node.callee->get_if<script::Attribute>();
  if (!member) refuse("this call");
  if (std::optional<std::string> qualified = qualified_name(*member)) {
    if (*qualified == "torch.device") return evaluate(*node.args.at(0));
    if (qualified->starts_with("torch.")) {
      const std::size_t dot = qualified->rfind('.');
      return call_operator("aten::" + qualified->substr(dot + 1), node);
    }
    if (qualified->starts_with("ops.")) {
      const std::size_t dot = qualified->find('.', 4);
      return call_operator(qualified->substr(4, dot - 4) + "::" + qualified->substr(dot + 1), node);
    }
    const Item callee = resolve(*qualified);
    targets_ = 1;
    return call_item(callee, arguments(node));
  }
  targets_ = 1;
  const Item object = evaluate(*member->object);
  if (const eval::ObjectPtr* module = std::get_if<eval::ObjectPtr>(&object))
    return call_method(*module, member->name, arguments(node));
  std::vector<onnx::Value*> inputs{value(object)};
  for (const Item& item : arguments(node).positional) inputs.push_back(value(item));
  return this->node(fmt::format("aten::{}", member->name), std::move(inputs));
}

Item Lowering::call_name(std::string_view name, const script::CallExpr& node) {
  if (auto found = variables_->find(name); found != variables_->end()) {
    const Item callee = found->second;
    targets_ = 1;
    return call_item(callee, arguments(node));
  }
  if (const std::string_view kind = operator_named(name); !kind.empty())
    return call_operator(std::string(kind), node);
  targets_ = 1;
  if (name == "annotate") return evaluate(*node.args.at(1));
  if (name == "unchecked_cast") return this->node("prim::unchecked_cast", {operand(*node.args.at(1))});
  if (name == "uninitialized") return this->node("prim::Uninitialized", {});
  if (name == "isinstance") return this->node("prim::isinstance", {operand(*node.args.at(0))});
  if (name == "getattr") {
    const Item object = evaluate(*node.args.at(0));
    const eval::ObjectPtr* module = std::get_if<eval::ObjectPtr>(&object);
    const auto* member = node.args.at(1)->get_if<script::StringLiteral>();
    if (module && member) return attribute_of(*module, member->value);
  }
  refuse(fmt::format("'{}'", name));
}

Item Lowering::call_item(const Item& callee, const Arguments& arguments) {
  if (const auto* function = std::get_if<eval::FunctionRef>(&callee))
    return inline_function(*function->definition.def, arguments);
  if (const auto* object = std::get_if<eval::ObjectPtr>(&callee))
    return call_method(*object, "forward", arguments);
  const auto* cls = std::get_if<eval::ClassRef>(&callee);
  if (!cls || cls->definition.def->kind != script::ClassKind::named_tuple) refuse("an object of this class");
  std::vector<onnx::Value*> fields;
  for (const Item& item : arguments.positional) fields.push_back(value(item));
  for (const auto& [name, item] : arguments.keywords) fields.push_back(value(item));
  return node("prim::TupleConstruct", std::move(fields), {{"name", cls->name}});
}

Item Lowering::call_method(const eval::ObjectPtr& object, std::string_view name, const Arguments& given) {
  const script::FunctionDef* method =
      object->definition ? ev_.program().find_method(*object->definition.def, name) : nullptr;
  if (!method || !object->module)
    refuse(fmt::format("method '{}' of '{}'", name, script::demangle(object->cls)));
  Arguments with_self = given;
  with_self.positional.insert(with_self.positional.begin(), object);
  return inline_function(*method, with_self);
}

Item Lowering::inline_function(const script::FunctionDef& def, const Arguments& given) {
  if (++depth_ > kMaxDepth) ev_.reporter().fail(Code::too_deep, "calls are nested too deeply");
  Environment variables;
  Environment* outer = std::exchange(variables_, &variables);
  std::optional<Item> outer_result = std::exchange(result_, std::nullopt);
  const onnx::Graph* outer_graph = std::exchange(function_graph_, graph_);
  for (std::size_t i = 0; i < def.params.size(); ++i) {
    const script::Param& param = def.params[i];
    std::optional<Item> item;
    if (i < given.positional.size()) item = given.positional[i];
    for (const auto& [name, keyword] : given.keywords)
      if (name == param.name) item = keyword;
    if (!item && param.default_value) item = evaluate(*param.default_value);
    if (!item)
      ev_.reporter().fail(Code::missing_argument,
                          fmt::format("argument '{}' of '{}' is missing", param.name, def.name));
    if (onnx::Value* const* list = std::get_if<onnx::Value*>(&*item); list && param.type)
      if (const auto* type = param.type->get_if<script::Subscript>())
        if (const auto* generic = type->object->get_if<script::Name>(); generic && generic->id == "List")
          lists_.insert(*list);
    variables.insert_or_assign(param.name, *item);
  }
  run(def.body);
  Item result = result_ ? *result_ : Item(none());
  variables_ = outer;
  result_ = std::move(outer_result);
  function_graph_ = outer_graph;
  --depth_;
  return result;
}

}  // namespace cameo::raw
