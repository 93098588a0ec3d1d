#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "model/diff/compare.h"
#include "model/diff/match.h"
#include "onnx/proto/encode.h"

namespace cameo::model {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about
using Kind = Findings::Kind;

std::string operator_text(const Node& node) {
  return printable(node.domain.empty() ? std::string(node.op_type)
                                       : fmt::format("{}.{}", node.domain, node.op_type));
}

class NodeDiff {
 public:
  NodeDiff(Findings& findings, Sides sides, const Renames& renames)
      : findings_(findings), sides_(sides), renames_(renames) {}

  void compare(const Node& a, const Node& b) {
    std::vector<std::string> details = node_differences(sides_, a, b);
    inputs(a, b, details);
    if (a.outputs.size() != b.outputs.size())
      details.push_back(fmt::format("{} results -> {}", a.outputs.size(), b.outputs.size()));
    if (!details.empty()) findings_.add(Kind::changed, "node", label(a), join(details, "; "));
    for (std::size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i)
      if (a.outputs[i] != b.outputs[i])
        findings_.add(Kind::renamed, "value", quoted(a.outputs[i]), quoted(b.outputs[i]));
    subgraphs(a, b);
  }

 private:
  void inputs(const Node& a, const Node& b, std::vector<std::string>& details) const {
    const auto left = given_inputs(a), right = given_inputs(b);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const std::string_view from = i < left.size() ? left[i] : Text(),
                             to = i < right.size() ? right[i] : Text();
      if (renames_(from) != to)
        details.push_back(fmt::format("input {} {} -> {}", i, from.empty() ? "none" : quoted(from),
                                      to.empty() ? "none" : quoted(to)));
    }
  }

  void subgraphs(const Node& a, const Node& b) {
    for (const Attribute& attribute : a.attributes) {
      const Attribute* other = find_attribute(b, attribute.name);
      if (!other) continue;
      const std::string place = fmt::format("{} of {}", printable(attribute.name), label(a));
      if (attribute.g && other->g)
        compare_inner(findings_, sides_, place, Body(*attribute.g), Body(*other->g), renames_);
      for (std::size_t i = 0; i < std::min(attribute.graphs.size(), other->graphs.size()); ++i)
        compare_inner(findings_, sides_, place, Body(attribute.graphs[i]), Body(other->graphs[i]), renames_);
    }
  }

  Findings& findings_;
  Sides sides_;
  const Renames& renames_;
};

std::vector<std::string> sparse_weights(const Graph& graph) {
  std::vector<std::string> all;
  for (const SparseTensor& tensor : graph.sparse_initializers) all.push_back(encode(tensor));
  std::ranges::sort(all);
  return all;
}

}  // namespace

std::vector<std::string> node_differences(Sides sides, const Node& a, const Node& b) {
  std::vector<std::string> details;
  if (operator_text(a) != operator_text(b) || a.overload != b.overload)
    details.push_back(fmt::format("{} -> {}", operator_text(a), operator_text(b)));
  for (const Attribute& attribute : a.attributes) {
    const Attribute* other = find_attribute(b, attribute.name);
    if (!other)
      details.push_back("without " + attribute_text(attribute));
    else if (std::string text = attribute_difference(sides, attribute, *other); !text.empty())
      details.push_back(std::move(text));
  }
  for (const Attribute& attribute : b.attributes)
    if (!find_attribute(a, attribute.name)) details.push_back("with " + attribute_text(attribute));
  return details;
}

void compare_bodies(Findings& findings, Sides sides, const Body& a, const Body& b, Renames& renames) {
  if (a.graph && b.graph) {
    compare_weights(findings, sides, *a.graph, *b.graph, renames);
    if (sparse_weights(*a.graph) != sparse_weights(*b.graph))
      findings.add(Kind::changed, "weight", "sparse initialisers", "they differ");
  }
  const Matched matched = match(a, b, renames);
  NodeDiff diff(findings, sides, renames);
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    if (matched.partners[i])
      diff.compare(a.nodes[i], b.nodes[*matched.partners[i]]);
    else
      findings.add(Kind::removed, "node", label(a.nodes[i]), {});
  }
  for (std::size_t i = 0; i < b.nodes.size(); ++i)
    if (!matched.taken[i]) findings.add(Kind::added, "node", label(b.nodes[i]), {});
}

void compare_inner(Findings& findings, Sides sides, std::string place, const Body& a, const Body& b,
                   const Renames& outer) {
  const Findings::Within within(findings, std::move(place));
  const auto count = [&](const char* what, std::size_t before, std::size_t after) {
    if (before != after) findings.add(Kind::changed, what, "number", fmt::format("{} -> {}", before, after));
  };
  count("input", a.inputs.size(), b.inputs.size());
  count("output", a.outputs.size(), b.outputs.size());
  Renames renames(&outer);
  for (std::size_t i = 0; i < std::min(a.inputs.size(), b.inputs.size()); ++i)
    renames.add(a.inputs[i], b.inputs[i]);
  compare_bodies(findings, sides, a, b, renames);
  for (std::size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i)
    if (renames(a.outputs[i]) != b.outputs[i])
      findings.add(Kind::changed, "output", std::to_string(i),
                   fmt::format("{} -> {}", quoted(a.outputs[i]), quoted(b.outputs[i])));
}

}  // namespace cameo::model
