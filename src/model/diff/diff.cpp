#include <map>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/model.h"
#include "model/diff/compare.h"
#include "model/graph/describe.h"
#include "model/graph/value_infos.h"

namespace cameo {
namespace {

using model::Body;
using model::Findings;
using model::Side;
using model::Sides;
using onnx::proto::Dimension;
using onnx::proto::Function;
using onnx::proto::Graph;
using onnx::proto::OpsetImport;
using onnx::proto::ValueInfo;
using Kind = ModelDifference::Kind;

// "" and "ai.onnx" are the same domain.
std::map<std::string, std::string> opsets(const std::vector<OpsetImport>& imports) {
  std::map<std::string, std::string> versions;
  for (const OpsetImport& import : imports)
    versions[import.domain.empty() ? "ai.onnx" : printable(import.domain)] =
        fmt::format("{}", import.version.value_or(0));
  return versions;
}

std::map<std::string, const Function*> functions(const onnx::proto::Model& model) {
  std::map<std::string, const Function*> named;
  for (const Function& function : model.functions) {
    std::string name = fmt::format("{}.{}", function.domain, function.name);
    if (!function.overload.empty()) name += fmt::format(":{}", function.overload);
    named.emplace(printable(name), &function);
  }
  return named;
}

// Reports entries that only one of the two has, and calls both(name, a, b) for the others.
template <class T, class Text, class Both>
void compare_maps(Findings& findings, const char* what, const std::map<std::string, T>& a,
                  const std::map<std::string, T>& b, Text text, Both both) {
  for (const auto& [name, value] : a) {
    const auto found = b.find(name);
    if (found == b.end())
      findings.add(Kind::removed, what, name, text(value));
    else
      both(name, value, found->second);
  }
  for (const auto& [name, value] : b)
    if (!a.contains(name)) findings.add(Kind::added, what, name, text(value));
}

void compare_opsets(Findings& findings, const std::vector<OpsetImport>& a,
                    const std::vector<OpsetImport>& b) {
  compare_maps(
      findings, "opset", opsets(a), opsets(b), [](const std::string& version) { return version; },
      [&](const std::string& name, const std::string& before, const std::string& after) {
        if (before != after)
          findings.add(Kind::changed, "opset", name, fmt::format("{} -> {}", before, after));
      });
}

void compare_functions(Findings& findings, Sides sides, bool structure) {
  compare_maps(
      findings, "function", functions(sides.a.opened.model), functions(sides.b.opened.model),
      [](const Function*) { return std::string(); },
      [&](const std::string& name, const Function* a, const Function* b) {
        const std::string place = "function " + name;
        if (!structure) return compare_inner(findings, sides, place, Body(*a), Body(*b), model::Renames());
        const Findings::Within within(findings, place);
        compare_structure(findings, sides, Body(*a), Body(*b));
      });
}

// Inputs that no initialiser gives a default.
std::vector<ValueInfo> open_inputs(const Graph& graph) {
  const Body body(graph);
  std::vector<ValueInfo> inputs;
  for (const ValueInfo& input : graph.inputs)
    if (std::ranges::find(body.inputs, input.name) != body.inputs.end()) inputs.push_back(input);
  return inputs;
}

void compare_all(Findings& findings, Sides sides) {
  const Graph &a = sides.a.opened.graph(), &b = sides.b.opened.graph();
  model::Renames renames;
  compare_interface(findings, "input", open_inputs(a), open_inputs(b), renames);
  compare_interface(findings, "output", a.outputs, b.outputs, renames);
  compare_bodies(findings, sides, Body(a), Body(b), renames);
}

// Names of sizes are names.
std::string nameless_type(const ValueInfo& value) {
  ValueInfo copy = value;
  if (copy.type && copy.type->shape)
    for (Dimension& dim : copy.type->shape->dims) dim.parameter = {};
  return printable(model::type_text(copy));
}

void compare_types(Findings& findings, const char* what, const std::vector<ValueInfo>& a,
                   const std::vector<ValueInfo>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (nameless_type(a[i]) != nameless_type(b[i]))
      findings.add(Kind::changed, what, std::to_string(i),
                   fmt::format("{} -> {}", nameless_type(a[i]), nameless_type(b[i])));
}

void compare_shape_of(Findings& findings, Sides sides) {
  const Graph &a = sides.a.opened.graph(), &b = sides.b.opened.graph();
  compare_types(findings, "input", open_inputs(a), open_inputs(b));
  compare_types(findings, "output", a.outputs, b.outputs);
  compare_structure(findings, sides, Body(a), Body(b));
}

}  // namespace

std::vector<ModelDifference> Model::diff(const Model& other, const DiffOptions& options) const {
  Side left(with_graph()), right(other.with_graph());
  const Sides sides{.a = left, .b = right};
  Findings findings;
  compare_opsets(findings, left.opened.model.opset_imports, right.opened.model.opset_imports);
  if (options.structure)
    compare_shape_of(findings, sides);
  else
    compare_all(findings, sides);
  compare_functions(findings, sides, options.structure);
  return findings.take();
}

}  // namespace cameo
