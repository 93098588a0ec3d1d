#include "model/infer/walk.h"

#include <set>

#include <fmt/format.h>

#include "base/checked.h"
#include "model/infer/merge.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Dim;
using onnx::Type;

constexpr std::size_t kMaxSteps = 4'000'000;    // nodes that are looked at, functions and loops unrolled
constexpr std::int64_t kMaxCopied = 1 << 12;    // elements that are taken out of typed fields
constexpr std::int64_t kDefaultsCanChange = 4;  // from this version of the IR on

// Elements that decide about shapes are few.
bool worth_reading(const proto::Tensor& tensor) {
  if (tensor.raw_data) return true;
  std::int64_t total = 1;
  for (const std::int64_t dim : tensor.dims) {
    const auto next = dim < 0 ? std::nullopt : checked_mul(total, dim);
    if (!next) return false;
    total = *next;
  }
  return total <= kMaxCopied;
}

onnx::Imports imports_of(const proto::Model& model) {
  onnx::Imports imports;
  for (const proto::OpsetImport& import : model.opset_imports)
    imports.add(import.domain, import.version.value_or(0));
  if (model.opset_imports.empty()) imports.add("", 1);
  return imports;
}

const proto::Type& innermost(const proto::Type& type) { return type.inner ? innermost(*type.inner) : type; }

}  // namespace

Walk::Walk(const Opened& opened, bool strict)
    : opened_(opened),
      strict_(strict),
      lift_(opened, model_.symbols()),
      report_(opened.file->name()),
      imports_(imports_of(opened.model)) {
  for (const proto::Function& function : opened.model.functions)
    functions_.emplace(
        onnx::FunctionKey(onnx::Imports::key(function.domain), function.name, function.overload), &function);
}

void Walk::complain(std::string_view code, std::string_view message) {
  if (strict_)
    report_.error(code, message);
  else
    report_.warning(code, message);
}

onnx::Value* Walk::value(Type type, std::string_view name) {
  if (type.shape)
    for (const Dim& dim : *type.shape)
      if (!dim.is_constant())
        for (const sym::Atom* atom : sym::atoms_below(dim))
          if (atom->kind == sym::Kind::symbol) seen_.try_emplace(atom, seen_.size());
  return model_.add_value(std::move(type), std::string(name));
}

bool Walk::fresh(const Dim& dim) const {
  const sym::Atom* atom = dim.as_atom();
  return atom && atom->kind == sym::Kind::symbol && !seen_.contains(atom);
}

onnx::Visible Walk::visible_from_here() const {
  return [this, until = seen_.size()](const Dim& dim) {
    if (dim.is_constant()) return true;
    for (const sym::Atom* atom : sym::atoms_below(dim)) {
      if (atom->kind != sym::Kind::symbol) continue;
      const auto found = seen_.find(atom);
      if (found == seen_.end() || found->second >= until) return false;
    }
    return true;
  };
}

Scope Walk::initializers(const proto::Graph& graph, const Scope* outer) {
  Scope scope(outer);
  for (const proto::Tensor& tensor : graph.initializers) {
    onnx::Value* constant = value(lift_.type(tensor), tensor.name);
    if (worth_reading(tensor)) constant->data = lift_.data(tensor);
    scope.add(tensor.name, constant);
  }
  for (const proto::SparseTensor& sparse : graph.sparse_initializers) {
    if (!sparse.values) continue;
    Type type = lift_.type(*sparse.values);
    type.shape = onnx::Shape(sparse.dims.begin(), sparse.dims.end());
    scope.add(sparse.values->name, value(type, sparse.values->name));
  }
  return scope;
}

void Walk::run() {
  const proto::Graph& graph = opened_.graph();
  Scope scope = initializers(graph, nullptr);
  const bool defaults = opened_.model.ir_version.value_or(0) >= kDefaultsCanChange;
  for (const proto::ValueInfo& input : graph.inputs) {
    const auto initial = scope.find(input.name);
    if (initial && !defaults) continue;
    if (input.type)
      scope.add(input.name, value(lift_.type(*input.type, input.name), input.name));
    else
      scope.add(input.name, value(initial ? (*initial)->type : unknown_type(), input.name));
  }
  for (const auto* infos : {&graph.value_infos, &graph.outputs})
    for (const proto::ValueInfo& info : *infos)
      if (info.type) declared_.emplace(info.name, &*info.type);
  nodes(graph.nodes, scope, Place{.imports = &imports_}, &found_[&graph]);
}

void Walk::nodes(const std::vector<proto::Node>& nodes, Scope& scope, const Place& place,
                 std::vector<Found>* found) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (++steps_ > kMaxSteps) return;
    const onnx::Report::At at(report_, nodes[i], i);
    node(nodes[i], scope, place, found);
  }
}

void Walk::node(const proto::Node& node, Scope& scope, const Place& place, std::vector<Found>* found) {
  Values inputs;
  for (const proto::Text name : node.inputs) {
    const auto input = name.empty() ? std::optional<onnx::Value*>(nullptr) : scope.find(name);
    if (!input) complain("unknown-value", fmt::format("nothing before it makes its input '{}'", name));
    inputs.push_back(input ? *input : value(unknown_type(), name));
  }
  Results results = this->results(node, inputs, scope, place);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    const Type inferred = i < results.types.size() ? results.types[i] : unknown_type();
    const Type type = with_declared(inferred, node.outputs[i]);
    onnx::Value* output = value(type, node.outputs[i]);
    output->producer = results.producer;
    if (i < results.data.size()) output->data = results.data[i];
    if (i < results.elements.size() && type.shape && results.elements[i] &&
        onnx::product(*type.shape) == static_cast<std::int64_t>(results.elements[i]->size()))
      output->elements = std::move(results.elements[i]);
    scope.add(node.outputs[i], output);
    if (found) found->push_back({node.outputs[i], output});
  }
}

Type Walk::with_declared(const Type& inferred, std::string_view name) {
  const auto said = declared_.find(name);
  if (said == declared_.end()) return inferred;
  Type declared = lift_.type(*said->second, name);
  if (inferred.shape && declared.shape && inferred.shape->size() == declared.shape->size()) {
    const std::vector<proto::Dimension>& dims = innermost(*said->second).shape->dims;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (dims[i].value.value_or(-1) < 0 && dims[i].parameter.empty())
        (*declared.shape)[i] = (*inferred.shape)[i];
  }
  const Merged merged = merge(
      inferred, declared, [this](const Dim& dim) { return fresh(dim); }, model_.symbols());
  if (!merged.contradiction.empty())
    complain("type-contradiction", fmt::format("of its output '{}', {}", name, merged.contradiction));
  return merged.type;
}

onnx::Graph* Walk::body(const proto::Graph& graph, const Types& inputs, const Scope& outer,
                        const Place& place) {
  onnx::Graph* made = model_.add_graph(nullptr, std::string(graph.name));
  Scope scope = initializers(graph, &outer);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const proto::ValueInfo& input = graph.inputs[i];
    Type type = i < inputs.size() ? inputs[i] : unknown_type();
    if (input.type)
      type =
          merge(
              type, lift_.type(*input.type, input.name), [](const Dim&) { return false; }, model_.symbols())
              .type;
    made->inputs.push_back(value(type, input.name));
    scope.add(input.name, made->inputs.back());
  }
  auto declared = std::exchange(declared_, {});
  for (const auto* infos : {&graph.value_infos, &graph.outputs})
    for (const proto::ValueInfo& info : *infos)
      if (info.type) declared_.emplace(info.name, &*info.type);
  std::vector<Found>* found = place.function ? nullptr : &found_[&graph];
  if (found) found->clear();
  nodes(graph.nodes, scope, place, found);
  declared_ = std::move(declared);
  for (const proto::ValueInfo& output : graph.outputs) {
    const auto made_here = scope.find(output.name);
    made->outputs.push_back(made_here && *made_here ? *made_here : value(unknown_type(), output.name));
  }
  return made;
}

std::span<const Found> Walk::found(const proto::Graph& graph) const {
  const auto found = found_.find(&graph);
  return found == found_.end() ? std::span<const Found>() : found->second;
}

// A loop's body is walked several times, and a function as often as it is called.
std::vector<Diagnostic> Walk::take_diagnostics() {
  if (steps_ > kMaxSteps)
    report_.warning("too-large", "inference ended early: functions and loops unfold to too many nodes");
  std::vector<Diagnostic> diagnostics;
  std::set<std::pair<std::string, std::vector<std::string>>> said;
  for (onnx::Fault& fault : report_.take())
    if (said.emplace(fault.diagnostic.message, fault.diagnostic.notes).second)
      diagnostics.push_back(std::move(fault.diagnostic));
  return diagnostics;
}

}  // namespace cameo::model
