#include "model/import/importer.h"

#include <set>
#include <unordered_set>

#include "model/import/merge.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Type;

onnx::Imports imports_of(const proto::Model& model) {
  onnx::Imports imports;
  for (const proto::OpsetImport& import : model.opset_imports)
    imports.add(import.domain, import.version.value_or(0));
  if (model.opset_imports.empty()) imports.add("", 1);
  return imports;
}

}  // namespace

Importer::Importer(Opened& opened, sym::Context& symbols, ImportClient& client, const ImportPolicy& policy)
    : opened_(opened),
      client_(client),
      policy_(policy),
      lift_(opened, symbols),
      report_(opened.file->name()),
      imports_(imports_of(opened.model)) {
  policy_.constant_defaults |= opened.all_initializers_are_inputs();
  for (proto::Function& function : opened.model.functions)
    functions_.emplace(
        onnx::FunctionKey(onnx::Imports::key(function.domain), function.name, function.overload), &function);
}

void Importer::fault(Code code, std::string_view message) {
  if (policy_.faults == Severity::error)
    report_.error(code, message);
  else if (policy_.faults)
    report_.warning(code, message);
}

void Importer::run() {
  proto::Graph& graph = *opened_.model.graph;
  Scope scope(nullptr, &graph);
  onnx::Graph& made = client_.enter(graph, scope);
  main_inputs(graph, made, scope);
  initializers(graph, scope);
  if (policy_.declared_types) scope.declare(graph);
  nodes(graph.nodes, scope, Place{.imports = &imports_});
  client_.leave(graph, made, scope);
}

void Importer::main_inputs(proto::Graph& graph, onnx::Graph& made, Scope& scope) {
  std::unordered_set<std::string_view> names;
  for (const proto::ValueInfo& input : graph.inputs) names.insert(input.name);
  std::unordered_map<std::string_view, Type> defaults;
  for (const proto::Tensor& tensor : graph.initializers)
    if (names.contains(tensor.name)) defaults.emplace(tensor.name, lift_.type(tensor));
  for (const proto::SparseTensor& sparse : graph.sparse_initializers)
    if (sparse.values && names.contains(sparse.values->name))
      defaults.emplace(sparse.values->name, lift_.type(sparse));
  for (const proto::ValueInfo& input : graph.inputs) {
    const auto initial = defaults.find(input.name);
    if (initial != defaults.end() && policy_.constant_defaults) continue;
    Type type = input.type                  ? lift_.type(*input.type, input.name)
                : initial != defaults.end() ? initial->second
                                            : unknown_type();
    scope.add(input.name, client_.input(made, input.name, std::move(type)));
  }
}

void Importer::initializers(proto::Graph& graph, Scope& scope) {
  for (proto::Tensor& tensor : graph.initializers)
    if (!scope.holds(tensor.name)) scope.add(tensor.name, client_.initializer(tensor, scope));
  for (const proto::SparseTensor& sparse : graph.sparse_initializers)
    if (sparse.values && !scope.holds(sparse.values->name))
      scope.add(sparse.values->name, client_.sparse_initializer(sparse.values->name, lift_.type(sparse)));
}

void Importer::nodes(std::vector<proto::Node>& nodes, Scope& scope, const Place& place) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (imported_++ >= policy_.node_limit) return;
    const onnx::Report::At at(report_, nodes[i], i);
    node(nodes[i], scope, place);
  }
}

// The shape can change from one iteration to the next, even if the file declares it.
Type Importer::body_input(const proto::ValueInfo& input, Type type) {
  if (input.type)
    type = merge(
               type, lift_.type(*input.type, input.name), [](const onnx::Dim&) { return false; },
               lift_.symbols())
               .type;
  if (policy_.bodies == ImportPolicy::Bodies::once) type.shape.reset();
  return type;
}

onnx::Graph* Importer::body(proto::Graph& graph, const Types& inputs, const Scope& outer,
                            const Place& place) {
  Scope scope(&outer, place.function ? nullptr : &graph);
  onnx::Graph& made = client_.enter(graph, scope);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    Type type = body_input(graph.inputs[i], i < inputs.size() ? inputs[i] : unknown_type());
    scope.add(graph.inputs[i].name, client_.input(made, graph.inputs[i].name, std::move(type)));
  }
  initializers(graph, scope);
  if (policy_.declared_types) scope.declare(graph);
  nodes(graph.nodes, scope, place);
  client_.leave(graph, made, scope);
  return &made;
}

std::vector<onnx::Fault> Importer::take_faults() {
  if (imported_ > policy_.node_limit)
    report_.warning(Code::too_large,
                    "inference stopped early because functions and loops expand to too many nodes");
  std::vector<onnx::Fault> faults;
  std::set<std::pair<std::string, std::vector<std::string>>> reported;
  for (onnx::Fault& fault : report_.take())
    if (reported.emplace(fault.diagnostic.message, fault.diagnostic.notes).second)
      faults.push_back(std::move(fault));
  return faults;
}

}  // namespace cameo::model
