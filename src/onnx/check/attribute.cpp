#include <fmt/core.h>

#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

using facts::Kind;

std::vector<Kind> fields(const proto::Attribute& a) {
  std::vector<Kind> used;
  const auto note = [&used](bool there, Kind kind) {
    if (there) used.push_back(kind);
  };
  note(a.f.has_value(), Kind::real);
  note(a.i.has_value(), Kind::integer);
  note(proto::present(a.s), Kind::string);
  note(a.t != nullptr, Kind::tensor);
  note(a.g != nullptr, Kind::graph);
  note(a.tp != nullptr, Kind::type);
  note(a.sparse_tensor != nullptr, Kind::sparse_tensor);
  note(!a.floats.empty(), Kind::reals);
  note(!a.ints.empty(), Kind::integers);
  note(!a.strings.empty(), Kind::strings);
  note(!a.tensors.empty(), Kind::tensors);
  note(!a.graphs.empty(), Kind::graphs);
  note(!a.sparse_tensors.empty(), Kind::sparse_tensors);
  note(!a.type_protos.empty(), Kind::types);
  return used;
}

void check_fields(const Context& context, const proto::Attribute& attribute) {
  Report& report = context.report;
  const std::vector<Kind> used = fields(attribute);
  if (!attribute.type && context.ir_version >= 2)
    report.error(Code::no_attribute_type,
                 fmt::format("its attribute '{}' does not state its type", attribute.name));
  if (used.size() > 1)
    report.error(Code::attribute_value,
                 fmt::format("its attribute '{}' has {} values", attribute.name, used.size()));
  else if (used.size() == 1 && attribute.type && *attribute.type != static_cast<std::int32_t>(used[0]))
    report.error(Code::attribute_value, fmt::format("its attribute '{}' holds {}, and is of another type",
                                                    attribute.name, facts::name(used[0])));
}

void check_reference(const Context& context, const proto::Attribute& attribute) {
  if (attribute.ref_attr_name.empty()) return;
  Report& report = context.report;
  if (context.function == nullptr)
    return report.error(
        Code::reference_outside_function,
        fmt::format("its attribute '{}' refers to an attribute '{}' of a function, and stands in "
                    "none",
                    attribute.name, attribute.ref_attr_name));
  if (!fields(attribute).empty())
    report.error(Code::attribute_value,
                 fmt::format("its attribute '{}' has a value, and refers to '{}' as well", attribute.name,
                             attribute.ref_attr_name));
  bool declared = false;
  for (const std::string_view name : context.function->attributes)
    declared |= name == attribute.ref_attr_name;
  for (const proto::Attribute& each : context.function->attribute_defaults)
    declared |= each.name == attribute.ref_attr_name;
  if (!declared)
    report.error(Code::unknown_reference,
                 fmt::format("its attribute '{}' refers to '{}', which the function does not "
                             "have",
                             attribute.name, attribute.ref_attr_name));
}

void check_subgraph(const Context& context, const proto::Graph& graph, const proto::Attribute& attribute,
                    const Scope& scope) {
  const Report::At at(context.report, std::string(attribute.name));
  Context inside = context;
  inside.main = false;
  Scope names(&scope);
  check_graph(inside, graph, names);
}

}  // namespace

void check_attributes(const Context& context, const proto::Node& node, const Scope& scope) {
  std::set<std::string_view> seen;
  for (const proto::Attribute& attribute : node.attributes) {
    if (attribute.name.empty()) {
      context.report.error(Code::empty_name, "one of its attributes has no name");
    } else if (!seen.insert(attribute.name).second) {
      context.report.error(Code::duplicate_attribute,
                           fmt::format("it has the attribute '{}' twice", attribute.name));
    }
    check_fields(context, attribute);
    check_reference(context, attribute);
    const std::string name = fmt::format("its attribute '{}'", attribute.name);
    if (attribute.t) check_tensor(context, *attribute.t, name);
    for (const proto::Tensor& tensor : attribute.tensors) check_tensor(context, tensor, name);
    if (attribute.sparse_tensor) check_sparse(context, *attribute.sparse_tensor, name);
    for (const proto::SparseTensor& tensor : attribute.sparse_tensors) check_sparse(context, tensor, name);
    if (attribute.g) check_subgraph(context, *attribute.g, attribute, scope);
    for (const proto::Graph& graph : attribute.graphs) check_subgraph(context, graph, attribute, scope);
  }
}

}  // namespace cameo::onnx
