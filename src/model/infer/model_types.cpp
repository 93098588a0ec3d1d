#include "model/infer/model_types.h"

#include <fmt/core.h>

#include "base/checked.h"
#include "model/import/merge.h"
#include "onnx/graph/size_name.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Dim;
using onnx::Type;

constexpr std::size_t kMostNodes = 4'000'000;  // with those of functions and bodies, as often as imported
constexpr std::int64_t kMostCopied = 1 << 12;  // elements that are copied out of typed fields

// Tensors that decide about shapes are small.
bool worth_reading(const proto::Tensor& tensor) {
  if (tensor.raw_data || tensor.elements) return true;
  std::int64_t total = 1;
  for (const std::int64_t dim : tensor.dims) {
    const auto next = dim < 0 ? std::nullopt : checked_mul(total, dim);
    if (!next) return false;
    total = *next;
  }
  return total <= kMostCopied;
}

ImportPolicy policy(bool strict, bool fold_inputs) {
  return {.functions = ImportPolicy::Functions::enter,
          .bodies = ImportPolicy::Bodies::until_stable,
          .fold = ImportPolicy::Fold::small,
          .subgraphs_of_unknown = false,
          .declared_types = true,
          .constant_defaults = fold_inputs,
          .faults = strict ? Severity::error : Severity::warning,
          .node_limit = kMostNodes};
}

const proto::Type& innermost(const proto::Type& type) { return type.inner ? innermost(*type.inner) : type; }

}  // namespace

ModelTypes::ModelTypes(Opened& opened, bool strict, bool fold_inputs)
    : importer_(opened, model_.symbols(), *this, policy(strict, fold_inputs)) {}

void ModelTypes::run() { importer_.run(); }

std::span<const NamedValue> ModelTypes::values(const proto::Graph& graph) const {
  const auto found = values_.find(&graph);
  return found == values_.end() ? std::span<const NamedValue>() : found->second;
}

std::span<onnx::Value* const> ModelTypes::inputs(const proto::Graph& graph) const {
  const auto found = graphs_.find(&graph);
  return found == graphs_.end() ? std::span<onnx::Value* const>() : found->second->inputs;
}

onnx::Value* ModelTypes::value(Type type, std::string_view name) {
  if (type.shape)
    for (const Dim& dim : *type.shape)
      if (!dim.is_constant())
        for (const sym::Atom* atom : sym::atoms_below(dim))
          if (atom->kind == sym::Kind::symbol) seen_.try_emplace(atom, seen_.size());
  return model_.add_value(std::move(type), std::string(name));
}

bool ModelTypes::fresh(const Dim& dim) const {
  const sym::Atom* atom = dim.as_atom();
  return atom && atom->kind == sym::Kind::symbol && !seen_.contains(atom);
}

onnx::Visible ModelTypes::visible() const {
  return [this, until = seen_.size()](const Dim& dim) {
    if (dim.is_constant()) return true;
    for (const sym::Atom* atom : sym::atoms_below(dim)) {
      if (atom->kind != sym::Kind::symbol) continue;
      const auto found = seen_.find(atom);
      if (found != seen_.end() && found->second >= until) return false;
    }
    return true;
  };
}

onnx::Value* ModelTypes::input(onnx::Graph& graph, std::string_view name, Type type) {
  return graph.inputs.emplace_back(value(std::move(type), name));
}

onnx::Value* ModelTypes::initializer(proto::Tensor& tensor, const Scope& /*scope*/) {
  onnx::Value* constant = value(importer_.lift().type(tensor), tensor.name);
  if (worth_reading(tensor)) constant->data = importer_.lift().data(tensor);
  return constant;
}

onnx::Value* ModelTypes::sparse_initializer(std::string_view name, Type type) {
  return value(std::move(type), name);
}

onnx::Value* ModelTypes::undefined(std::string_view name) {
  importer_.fault(Code::unknown_value, fmt::format("nothing before it makes its input '{}'", name));
  return value(unknown_type(), name);
}

Values ModelTypes::node(ImportedNode& node, const Scope& scope) {
  if (observer_) observer_(node);
  onnx::Node* producer = nullptr;
  if (node.fidelity != onnx::Fidelity::none) producer = model_.add_node(std::move(node.newest));
  Values values;
  for (std::size_t i = 0; i < node.source.outputs.size(); ++i) {
    const std::string_view name = node.source.outputs[i];
    if (name.empty()) {
      values.push_back(nullptr);
      continue;
    }
    const Type type = with_declared(node.results[i].type, name, scope);
    onnx::Value* output = values.emplace_back(value(type, name));
    output->producer = producer;
    if (i < node.data.size()) output->data = node.data[i];
    onnx::Elements& elements = node.results[i].elements;
    if (type.shape && elements && onnx::product(*type.shape) == std::ssize(*elements))
      output->elements = std::move(elements);
  }
  return values;
}

void ModelTypes::bound(const proto::Node& source, const Values& values, const Scope& scope) {
  if (!scope.graph()) return;
  std::vector<NamedValue>& named = values_[scope.graph()];
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) named.push_back({source.outputs[i], values[i]});
}

Type ModelTypes::with_declared(const Type& inferred, std::string_view name, const Scope& scope) {
  const proto::Type* message = scope.declared(name);
  if (!message) return inferred;
  Type declared = importer_.lift().type(*message, name);
  if (inferred.shape && declared.shape && inferred.shape->size() == declared.shape->size()) {
    const std::vector<proto::Dimension>& dims = innermost(*message).shape->dims;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (dims[i].value.value_or(-1) < 0 && !onnx::names_size(dims[i].parameter))
        (*declared.shape)[i] = (*inferred.shape)[i];
  }
  const Merged merged = merge(
      inferred, declared, [this](const Dim& dim) { return fresh(dim); }, model_.symbols());
  if (!merged.contradiction.empty())
    importer_.fault(Code::type_contradiction,
                    fmt::format("of its output '{}', {}", name, merged.contradiction));
  return merged.type;
}

onnx::Graph& ModelTypes::enter(proto::Graph& graph, const Scope& scope) {
  onnx::Graph* made = model_.add_graph(nullptr, std::string(graph.name));
  if (scope.graph()) {
    values_[&graph].clear();
    graphs_[&graph] = made;
  }
  return *made;
}

void ModelTypes::leave(proto::Graph& graph, onnx::Graph& made, const Scope& scope) {
  for (const proto::ValueInfo& output : graph.outputs) {
    const auto found = scope.find(output.name);
    made.outputs.push_back(found && *found ? *found : value(unknown_type(), output.name));
  }
}

// Values of both branches have types.
bool ModelTypes::inlines(const proto::Graph& /*branch*/) { return false; }

onnx::Value* ModelTypes::constant(onnx::DataPtr data) {
  onnx::Shape shape(data->shape().begin(), data->shape().end());
  onnx::Value* constant = value({Type::Kind::tensor, data->dtype(), std::move(shape)}, {});
  constant->data = std::move(data);
  return constant;
}

onnx::Value* ModelTypes::op(std::string_view type, Values inputs, onnx::Attributes attributes) {
  const onnx::Node node{
      .op = std::string(type), .inputs = std::move(inputs), .attributes = std::move(attributes)};
  std::vector<onnx::Inferred> results = onnx::infer(model_.symbols(), node, 1, visible());
  onnx::Value* made = value(results.front().type, {});
  if (const auto data = fold_small(node, results); !data.empty()) made->data = data.front();
  made->elements = std::move(results.front().elements);
  return made;
}

}  // namespace cameo::model
