#include <fmt/format.h>

#include "model/infer/walk.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;

bool calls_itself(const proto::Function& function, const Place& place) {
  for (const Place* at = &place; at != nullptr; at = at->caller)
    if (at->function == &function) return true;
  return false;
}

}  // namespace

Walk::Results Walk::call(const proto::Node& node, const proto::Function& function, const Values& inputs,
                         const Place& place) {
  Results results{Types(node.outputs.size(), unknown_type())};
  if (calls_itself(function, place)) {
    complain("recursive-function", "the function calls itself");
    return results;
  }
  Arguments arguments;
  for (const proto::Attribute& attribute : function.attribute_defaults)
    arguments.insert_or_assign(attribute.name, &attribute);
  for (const proto::Attribute& attribute : node.attributes)
    if (const proto::Attribute* given = argument(attribute, place))
      arguments.insert_or_assign(attribute.name, given);
  onnx::Imports imports;
  for (const proto::OpsetImport& import : function.opset_imports)
    imports.add(import.domain, import.version.value_or(0));
  Scope scope;
  for (std::size_t i = 0; i < function.inputs.size(); ++i)
    scope.add(function.inputs[i], i < inputs.size() ? inputs[i] : nullptr);
  const onnx::Report::At at(report_, fmt::format("the body of the function '{}'", function.name));
  auto declared = std::exchange(declared_, {});
  nodes(function.nodes, scope,
        Place{.imports = &imports,
              .loops = place.loops,
              .function = &function,
              .arguments = &arguments,
              .caller = &place},
        nullptr);
  declared_ = std::move(declared);
  results.elements.resize(node.outputs.size());
  results.data.resize(node.outputs.size());
  for (std::size_t i = 0; i < std::min(node.outputs.size(), function.outputs.size()); ++i) {
    const auto made = scope.find(function.outputs[i]);
    if (!made || !*made) continue;
    results.types[i] = (*made)->type;
    results.elements[i] = (*made)->elements;
    results.data[i] = (*made)->data;
  }
  return results;
}

}  // namespace cameo::model
