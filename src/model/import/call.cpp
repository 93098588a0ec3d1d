#include <algorithm>

#include <fmt/core.h>

#include "model/import/importer.h"

namespace cameo::model {

namespace proto = onnx::proto;

proto::Function* Importer::find_function(const proto::Node& node) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find({onnx::Imports::key(node.domain), node.op_type, node.overload});
  return found == functions_.end() ? nullptr : found->second;
}

bool Importer::calls_itself(const proto::Function& function, const Place& place) {
  for (const Place* at = &place; at != nullptr; at = at->caller)
    if (at->function == &function) return true;
  return false;
}

void Importer::call(ImportedNode& node, proto::Function& function, const Place& place) {
  if (calls_itself(function, place)) return fault(Code::recursive_function, "the function calls itself");
  Arguments arguments;
  for (proto::Attribute& attribute : function.attribute_defaults)
    arguments.insert_or_assign(attribute.name, &attribute);
  for (proto::Attribute& attribute : node.source.attributes)
    if (proto::Attribute* given = argument(attribute, place))
      arguments.insert_or_assign(attribute.name, given);
  onnx::Imports imports;
  for (const proto::OpsetImport& import : function.opset_imports)
    imports.add(import.domain, import.version.value_or(0));
  Scope scope(nullptr, nullptr);
  const Values& inputs = node.read.inputs;
  for (std::size_t i = 0; i < function.inputs.size(); ++i)
    scope.add(function.inputs[i], i < inputs.size() ? inputs[i] : nullptr);
  const onnx::Report::At at(report_, fmt::format("the body of the function '{}'", function.name));
  nodes(function.nodes, scope,
        Place{.imports = &imports,
              .loops = place.loops,
              .function = &function,
              .arguments = &arguments,
              .caller = &place});
  node.data.resize(node.results.size());
  for (std::size_t i = 0; i < std::min(node.results.size(), function.outputs.size()); ++i) {
    const auto made = scope.find(function.outputs[i]);
    if (!made || !*made) continue;
    node.results[i] = {(*made)->type, (*made)->elements};
    node.data[i] = (*made)->data;
  }
}

proto::Attribute* Importer::argument(proto::Attribute& attribute, const Place& place) {
  if (attribute.ref_attr_name.empty()) return &attribute;
  if (!place.arguments) return nullptr;
  const auto given = place.arguments->find(attribute.ref_attr_name);
  return given == place.arguments->end() ? nullptr : given->second;
}

proto::Attribute* Importer::argument(proto::Node& node, std::string_view name, const Place& place) {
  const auto found = std::ranges::find(node.attributes, name, &proto::Attribute::name);
  return found == node.attributes.end() ? nullptr : argument(*found, place);
}

proto::Graph* Importer::graph_of(proto::Node& node, std::string_view name, const Place& place) {
  const proto::Attribute* attribute = argument(node, name, place);
  return attribute ? attribute->g.get() : nullptr;
}

}  // namespace cameo::model
