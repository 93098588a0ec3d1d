#include "onnx/emit/emit.h"

#include <algorithm>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/emit/tables.h"
#include "onnx/fold/fold.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {
namespace {

// Larger constants are the same only if they are the same object.
constexpr std::size_t kMaxInterned = 4096;

Node make_node(std::string_view type, std::vector<Value*> inputs, Attributes attributes) {
  Node node;
  const std::size_t colons = type.find("::");
  if (colons != std::string_view::npos) {
    node.domain = type.substr(0, colons);
    type.remove_prefix(colons + 2);
  }
  node.op = type;
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  return node;
}

bool all_constant(const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [](const Value* input) { return input == nullptr || input->constant(); });
}

bool all_elements_known(const std::vector<Inferred>& results) {
  return !results.empty() && std::all_of(results.begin(), results.end(),
                                         [](const Inferred& result) { return result.elements.has_value(); });
}

Type type_of(const Data& data) {
  Type type{.dtype = data.dtype(), .shape = Shape{}};
  for (std::int64_t dim : data.shape()) type.shape->emplace_back(dim);
  return type;
}

}  // namespace

Emit::Emit(Model& model, const Downgrade& downgrade, EmitOptions options)
    : model_(model),
      downgrade_(downgrade),
      options_(options),
      scope_(&model.main()),
      tables_(std::make_unique<Tables>()) {
  check_opset(options.opset);
  model_.opset = options.opset;
}

Emit::~Emit() = default;

Emitted Emit::op(std::string_view type, std::vector<Value*> inputs, Attributes attributes) {
  return {this, ops(type, std::move(inputs), std::move(attributes), 1).front()};
}

Emitted Emit::op(std::string_view type, std::vector<Value*> inputs, Attributes attributes, Type result) {
  return {this, ops(type, std::move(inputs), std::move(attributes), std::vector{std::move(result)}).front()};
}

std::vector<Value*> Emit::ops(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
                              std::size_t outputs) {
  Node node = make_node(type, std::move(inputs), std::move(attributes));
  std::vector<Inferred> results = inferred(node, outputs);
  return emit(std::move(node), std::move(results));
}

std::vector<Value*> Emit::ops(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
                              std::vector<Type> results) {
  std::vector<Inferred> inferred;
  for (Type& result : results) inferred.push_back({std::move(result), std::nullopt});
  return emit(make_node(type, std::move(inputs), std::move(attributes)), std::move(inferred));
}

std::vector<Inferred> Emit::inferred(const Node& node, std::size_t outputs) {
  return infer(sym(), node, outputs, [this](const Dim& dim) { return visible(dim); });
}

std::vector<Value*> Emit::emit(Node node, std::vector<Inferred> results) {
  if (all_elements_known(results)) {
    std::vector<Value*> values;
    for (Inferred& result : results)
      values.push_back(elements(result.type.dtype, *result.type.shape, std::move(*result.elements)));
    return values;
  }
  const bool foldable = options_.fold && !(options_.quantize_at_run_time && node.op == "QuantizeLinear");
  if (foldable && node.domain.empty() && all_constant(node)) {
    if (DataPtr changed = fold_layout(node)) return {constant(std::move(changed), node.inputs[0]->name)};
    std::vector<Type> types;
    for (const Inferred& result : results) types.push_back(result.type);
    std::vector<Value*> values;
    const std::string name =
        node.op == "Cast" || node.op == "QuantizeLinear" ? node.inputs[0]->name : std::string();
    for (DataPtr& data : fold(node, types)) values.push_back(constant(std::move(data), name));
    if (!values.empty()) return values;
  }
  const std::string key = reuse_key(node, results.size());
  if (const auto* found = find_equal(key)) return *found;
  std::vector<Value*> values = downgrade_.node(*this, node, results);
  if (values.empty()) values = create(std::move(node), results);
  if (!key.empty()) tables_->scopes[scope_].nodes.emplace(key, values);
  return values;
}

const std::vector<Value*>* Emit::find_equal(const std::string& key) const {
  if (key.empty()) return nullptr;
  for (const Graph* graph = scope_; graph != nullptr; graph = graph->parent) {
    const auto table = tables_->scopes.find(graph);
    if (table == tables_->scopes.end()) continue;
    const auto found = table->second.nodes.find(key);
    if (found != table->second.nodes.end()) return &found->second;
  }
  return nullptr;
}

std::vector<Value*> Emit::create(Node node, const std::vector<Inferred>& results) {
  for (Value*& input : node.inputs) {
    if (input == nullptr) continue;
    input = materialize(input);
    if (!visible(input)) throw InternalError(fmt::format("{} reads a value of another scope", node.op));
  }
  node.origin = origin_;
  node.graph = scope_;
  Node* made = model_.add_node(std::move(node));
  for (const Inferred& result : results) {
    Value* value = model_.add_value(result.type);
    value->producer = made;
    value->elements = result.elements;
    made->outputs.push_back(value);
  }
  scope_->nodes.push_back(made);
  for (Value* value : made->outputs) carry(value);
  return made->outputs;
}

Value* Emit::create_one(std::string_view op, std::vector<Value*> inputs, Attributes attributes) {
  Node node = make_node(op, std::move(inputs), std::move(attributes));
  const std::string key = reuse_key(node, 1);
  if (const auto* found = find_equal(key)) return found->front();
  const std::vector<Inferred> results = inferred(node, 1);
  std::vector<Value*> values = downgrade_.node(*this, node, results);
  if (values.empty()) values = create(std::move(node), results);
  tables_->scopes[scope_].nodes.emplace(key, values);
  return values.front();
}

Emitted Emit::constant(DataPtr data, std::string name) {
  std::string key;
  auto put = [&key](auto number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  put(data->dtype());
  put(data->shape().size());
  for (std::int64_t dim : data->shape()) put(dim);
  if (const auto& tensor = data->tensor()) {
    put(reinterpret_cast<std::uintptr_t>(tensor->storage.get()));
    put(tensor->offset);
    put(tensor->conjugate);
    put(tensor->negative);
    for (std::int64_t stride : tensor->strides) put(stride);
  } else if (data->byte_size() > kMaxInterned) {
    put(reinterpret_cast<std::uintptr_t>(data.get()));
  } else {
    const Bytes bytes = data->bytes();
    key += "=";
    key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  auto [found, inserted] = tables_->constants.try_emplace(std::move(key), nullptr);
  if (inserted) {
    found->second = model_.add_value(type_of(*data), std::move(name));
    found->second->data = std::move(data);
  }
  return {this, found->second};
}

Emitted Emit::cast(Value* x, DType dtype) {
  if (x->dtype() == dtype) return {this, x};
  Attributes attributes = {{"to", std::int64_t{to_onnx(dtype)}}};
  // Numbers beyond the range become infinities or NaN, as in PyTorch.
  if (is_floating(dtype) && info(dtype).bits == 8) attributes.push_back({"saturate", std::int64_t{0}});
  return {this, op("Cast", {x}, std::move(attributes))};
}

Emitted Emit::identity(Value* x) {
  if (x->type.kind == Type::Kind::sequence && !downgrade_.identity_takes_sequences(model_.opset)) {
    Value* longer =
        create(make_node("SequenceInsert", {x, scalar(x->dtype(), 0.0)}, {}), {{x->type, {}}}).front();
    return {this, create(make_node("SequenceErase", {longer}, {}), {{x->type, {}}}).front()};
  }
  return {this, create(make_node("Identity", {x}, {}), {{x->type, x->elements}}).front()};
}

Emitted Emit::stop_gradient(Value* x) {
  if (!options_.differentiable || !is_floating(x->dtype()) || x->type.kind != Type::Kind::tensor)
    return {this, x};
  const Emitted stopped = identity(x);
  tables_->stops.insert(stopped->producer);
  return stopped;
}

bool Emit::stops_gradient(const Node* node) const { return tables_->stops.contains(node); }

Emit::Scope::Scope(Emit& emit, Graph* graph) : emit_(emit), previous_(emit.scope_) { emit_.scope_ = graph; }
Emit::Scope::~Scope() { emit_.scope_ = previous_; }

Emitted Emit::graph_input(Graph* graph, Type type, std::string name) {
  Value* value = model_.add_value(std::move(type), std::move(name));
  value->graph = graph;
  graph->inputs.push_back(value);
  carry(value);
  return {this, value};
}

Emitted Emit::graph_output(Graph* graph, Value* value, std::string name) {
  value = materialize(value);
  const bool own = value->producer && value->producer->graph == graph;
  const bool twice = std::find(graph->outputs.begin(), graph->outputs.end(), value) != graph->outputs.end();
  const bool named_otherwise = !name.empty() && !value->name.empty() && value->name != name;
  if (!own || twice || named_otherwise) value = identity(value);
  if (!name.empty()) value->name = std::move(name);
  graph->outputs.push_back(value);
  return {this, value};
}

bool Emit::visible(const Value* value) const {
  if (value->constant() || value->symbolic()) return true;
  const Graph* home = value->producer ? value->producer->graph : value->graph;
  for (const Graph* graph = scope_; graph != nullptr; graph = graph->parent)
    if (graph == home) return true;
  return false;
}

}  // namespace cameo::onnx
