#include <fmt/core.h>

#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

bool has_shape(const proto::Type& type) {
  return type.shape ||
         (type.kind != proto::Type::Kind::tensor && type.kind != proto::Type::Kind::sparse_tensor);
}

// Does it say what its elements are?
bool complete(const proto::Type& type) {
  switch (type.kind) {
    case proto::Type::Kind::tensor:
    case proto::Type::Kind::sparse_tensor: return type.element.has_value();
    case proto::Type::Kind::map: return type.element && type.inner;
    case proto::Type::Kind::sequence:
    case proto::Type::Kind::optional: return type.inner != nullptr;
    case proto::Type::Kind::opaque: return true;
    case proto::Type::Kind::none: return false;
  }
  return false;
}

void add_inputs(const Context& context, const proto::Graph& graph, Scope& scope) {
  for (const proto::ValueInfo& input : graph.inputs) {
    check_value_info(context, input, "input");
    if (scope.here(input.name))
      context.report.error(Code::duplicate_input,
                           fmt::format("two inputs of the graph are called '{}'", input.name));
    scope.add(input.name, input.type ? value_type(*input.type) : std::nullopt);
  }
}

void check_same_type(const Context& context, const proto::Tensor& tensor, const Scope& scope) {
  const auto declared = scope.type(tensor.name);
  if (declared && tensor.data_type && *declared != ValueType{facts::Form::tensor, *tensor.data_type})
    context.report.error(Code::initializer_type,
                         fmt::format("the initialiser '{}' is {}, and the input of that name is {}",
                                     tensor.name, element_name(tensor.data_type), to_string(*declared)));
}

void add_initializer(const Context& context, const proto::Tensor& tensor, std::set<std::string_view>& seen,
                     Scope& scope) {
  Report& report = context.report;
  if (tensor.name.empty()) return report.error(Code::empty_name, "an initialiser has no name");
  if (!seen.insert(tensor.name).second)
    report.error(Code::duplicate_initializer, fmt::format("two initialisers are called '{}'", tensor.name));
  if (scope.here(tensor.name))
    check_same_type(context, tensor, scope);
  else if (context.ir_version <= 3)
    report.error(
        Code::initializer_without_input,
        fmt::format("the initialiser '{}' is not an input of the graph", tensor.name),
        fmt::format("version {} of the IR wants every initialiser among the inputs; version 4 does not",
                    context.ir_version));
  scope.add(tensor.name, ValueType{facts::Form::tensor, tensor.data_type.value_or(0)});
}

void add_initializers(const Context& context, const proto::Graph& graph, Scope& scope) {
  std::set<std::string_view> seen;
  for (const proto::Tensor& tensor : graph.initializers) {
    add_initializer(context, tensor, seen, scope);
    check_tensor(context, tensor, fmt::format("the initialiser '{}'", tensor.name));
  }
  for (const proto::SparseTensor& tensor : graph.sparse_initializers) {
    const std::string_view name = tensor.values ? tensor.values->name : std::string_view();
    check_sparse(context, tensor, fmt::format("the sparse initialiser '{}'", name));
    if (name.empty())
      context.report.error(Code::empty_name, "a sparse initialiser has no name");
    else if (!seen.insert(name).second)
      context.report.error(Code::duplicate_initializer,
                           fmt::format("two initialisers are called '{}'", name));
    scope.add(name, std::nullopt);
  }
}

Declared declared_types(const proto::Graph& graph) {
  Declared types;
  for (const auto* infos : {&graph.value_infos, &graph.outputs})
    for (const proto::ValueInfo& info : *infos)
      if (const auto type = info.type ? value_type(*info.type) : std::nullopt)
        types.emplace(info.name, *type);
  return types;
}

void check_outputs(const Context& context, const proto::Graph& graph, const Scope& scope) {
  for (const proto::ValueInfo& output : graph.outputs) {
    check_value_info(context, output, "output");
    if (output.name.empty()) continue;
    if (!scope.visible(output.name)) {
      context.report.error(Code::output_not_made,
                           fmt::format("nothing makes '{}', an output of the graph", output.name));
      continue;
    }
    const auto made = scope.type(output.name);
    const auto declared = output.type ? value_type(*output.type) : std::nullopt;
    if (made && declared && *made != *declared)
      context.report.error(Code::output_type,
                           fmt::format("the output '{}' is declared {}, and is {}", output.name,
                                       to_string(*declared), to_string(*made)));
  }
}

}  // namespace

void check_value_info(const Context& context, const proto::ValueInfo& info, std::string_view what) {
  if (info.name.empty())
    context.report.error(Code::empty_name, fmt::format("an {} of the graph has no name", what));
  else if (!context.main)
    return;
  else if (!info.type || info.type->kind == proto::Type::Kind::none)
    context.report.error(Code::no_type, fmt::format("the {} '{}' has no type", what, info.name));
  else if (!complete(*info.type))
    context.report.error(Code::incomplete_type,
                         fmt::format("the type of the {} '{}' lacks its element type", what, info.name));
  else if (!has_shape(*info.type))
    context.report.error_that_runs(
        Code::no_shape, fmt::format("the {} '{}' has no shape", what, info.name),
        "inputs and outputs of a model have a rank, though their sizes may be open");
}

void check_graph(const Context& context, const proto::Graph& graph, Scope& scope) {
  if (graph.name.empty()) context.report.error(Code::no_graph_name, "the graph has no name");
  add_inputs(context, graph, scope);
  add_initializers(context, graph, scope);
  check_nodes(context, graph.nodes, scope, declared_types(graph));
  check_outputs(context, graph, scope);
}

}  // namespace cameo::onnx
