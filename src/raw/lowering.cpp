#include "raw/lowering.h"

#include <fmt/core.h>

#include "base/text.h"
#include "raw/raw.h"

namespace cameo::raw {

void Lowering::refuse(std::string_view what) const {
  ev_.reporter().fail(Code::not_raw,
                      fmt::format("{} cannot be written with TorchScript's own operators", what),
                      "export it with --operator-export-type ONNX");
}

std::vector<onnx::Value*> Lowering::node(std::string_view kind, std::vector<onnx::Value*> inputs,
                                         onnx::Attributes attributes, std::size_t outputs) {
  onnx::Node node;
  const std::size_t colons = kind.find("::");
  node.domain = kind.substr(0, colons);
  node.op = kind.substr(colons + 2);
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  node.graph = graph_;
  onnx::Node* made = model_.add_node(std::move(node));
  for (std::size_t i = 0; i < outputs; ++i) {
    made->outputs.push_back(model_.add_value({onnx::Type::Kind::unknown, DType::f32, std::nullopt}));
    made->outputs.back()->producer = made;
  }
  graph_->nodes.push_back(made);
  return made->outputs;
}

onnx::Value* Lowering::constant(const std::string& key, onnx::Attributes attributes) {
  auto [found, fresh] = constants_.try_emplace(key, nullptr);
  if (!fresh) return found->second;
  onnx::Graph* inner = std::exchange(graph_, &model_.main());
  found->second = node("prim::Constant", {}, std::move(attributes));
  constant_nodes_.push_back(graph_->nodes.back());
  graph_->nodes.pop_back();
  graph_ = inner;
  return found->second;
}

onnx::Value* Lowering::integer(std::int64_t number) {
  return constant(fmt::format("int {}", number), {{"value", number}});
}
onnx::Value* Lowering::boolean(bool flag) {
  return constant(fmt::format("bool {}", flag), {{"value", std::int64_t{flag}}});
}
onnx::Value* Lowering::real(double number) {
  return constant(fmt::format("float {}", number), {{"value", static_cast<float>(number)}});
}
onnx::Value* Lowering::text(const std::string& text) { return constant("str " + text, {{"value", text}}); }

void Lowering::put_constants_first() {
  std::vector<onnx::Node*>& nodes = model_.main().nodes;
  nodes.insert(nodes.begin(), constant_nodes_.begin(), constant_nodes_.end());
}

onnx::Value* Lowering::value(const Item& item) {
  if (onnx::Value* const* found = std::get_if<onnx::Value*>(&item)) return *found;
  refuse("a module or function as a value");
}

onnx::Value* Lowering::import_list(const std::vector<eval::Value>& items) {
  std::vector<std::int64_t> numbers;
  for (const eval::Value& item : items)
    if (const eval::Dim* dim = item.get_if<eval::Dim>(); dim && dim->as_constant())
      numbers.push_back(*dim->as_constant());
  if (!items.empty() && numbers.size() == items.size())
    return constant(fmt::format("ints {}", join(numbers, ",")), {{"value", numbers}});
  std::vector<onnx::Value*> values;
  for (const eval::Value& item : items) values.push_back(value(import(item)));
  return node("prim::ListConstruct", std::move(values));
}

Item Lowering::import(const eval::Value& given) {
  if (given.is_none()) return none();
  if (const bool* flag = given.get_if<bool>()) return boolean(*flag);
  if (const eval::Dim* dim = given.get_if<eval::Dim>(); dim && dim->as_constant())
    return integer(*dim->as_constant());
  if (const double* number = given.get_if<double>()) return real(*number);
  if (const std::string* string = given.get_if<std::string>()) return text(*string);
  if (const eval::Device* device = given.get_if<eval::Device>()) return text(device->name);
  if (const eval::ObjectPtr* object = given.get_if<eval::ObjectPtr>()) return *object;
  if (const eval::EnumMember* member = given.get_if<eval::EnumMember>()) return import(*member->value);
  if (const eval::CellPtr* cell = given.get_if<eval::CellPtr>()) return (*cell)->tensor.value;
  if (const eval::ListPtr* list = given.get_if<eval::ListPtr>()) {
    onnx::Value* made = import_list((*list)->items);
    lists_.insert(made);
    return made;
  }
  std::vector<onnx::Value*> values;
  if (const eval::TuplePtr* tuple = given.get_if<eval::TuplePtr>()) {
    for (const eval::Value& item : (*tuple)->items) values.push_back(value(import(item)));
    return node("prim::TupleConstruct", std::move(values));
  }
  if (const eval::DictPtr* dict = given.get_if<eval::DictPtr>()) {
    for (const auto& [key, item] : (*dict)->items) {
      values.push_back(value(import(key)));
      values.push_back(value(import(item)));
    }
    return node("prim::DictConstruct", std::move(values));
  }
  refuse(eval::describe(given));
}

void lower(eval::Evaluator& ev, const eval::ObjectPtr& root, const script::FunctionDef& method,
           const eval::Arguments& given, const std::vector<std::string>& output_names) {
  Lowering lowering(ev);
  Arguments arguments;
  for (const eval::Value& value : given.positional) arguments.positional.push_back(lowering.import(value));
  for (const auto& [name, value] : given.keywords)
    arguments.keywords.emplace_back(name, lowering.import(value));
  onnx::Value* result = lowering.value(lowering.call_method(root, method.name, arguments));
  lowering.put_constants_first();
  if (output_names.size() > 1)
    ev.reporter().fail(Code::too_many_names,
                       fmt::format("{} output names are given for 1 output", output_names.size()));
  if (result->producer) result->name = output_names.empty() ? "output" : output_names.front();
  ev.emit().model().main().outputs.push_back(result);
}

}  // namespace cameo::raw
