#include "model/simplify/explain.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/nearest.h"
#include "cameo/diagnostic.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;

bool has_name(const proto::Node& node, std::string_view name) {
  return node.name == name || std::ranges::find(node.outputs, name) != node.outputs.end();
}

// The node of the graph or of its subgraphs; null if there is none. Adds the names of nodes to `known`.
const proto::Node* find_node(const proto::Graph& graph, std::string_view name,
                             std::vector<std::string>& known) {
  const proto::Node* found = nullptr;
  proto::each_node(graph.nodes, [&](const proto::Node& node) {
    if (!found && has_name(node, name)) found = &node;
    if (!node.name.empty()) known.emplace_back(node.name);
  });
  return found;
}

}  // namespace

Explainer::Explainer(const Opened& opened, const std::string& name) : name_(name) {
  if (name.empty()) return;
  std::vector<std::string> known;
  const proto::Node* node = find_node(opened.graph(), name, known);
  if (!node) {
    const std::string meant = nearest(name, known);
    throw Error(Diagnostic{.code = Code::no_such_node,
                           .message = fmt::format("the model has no node and no node output '{}'", name),
                           .file = opened.file->name(),
                           .hint = meant.empty() ? "cameo print lists the nodes of a model"
                                                 : fmt::format("did you mean '{}'?", meant)});
  }
  explanation_ = NodeExplanation{.node = name, .op = std::string(node->op_type)};
}

bool Explainer::asked_for(const Rebuilt& rebuilt, const onnx::Node& node) const {
  const auto source = rebuilt.nodes.find(&node);
  return (source != rebuilt.nodes.end() && source->second.node->name == name_) ||
         std::ranges::any_of(node.outputs, [&](const onnx::Value* v) { return v && v->name == name_; });
}

void Explainer::begin(const Rebuilt& rebuilt) {
  if (!explanation_) return;
  for (const auto& [node, source] : rebuilt.nodes)
    if (node->graph && asked_for(rebuilt, *node)) explanation_->reached_rules = true;
}

void Explainer::record(const Rebuilt& rebuilt, const onnx::Node& node, const rules::Rule& rule,
                       std::string_view reason) {
  if (!explanation_ || !asked_for(rebuilt, node)) return;
  RuleOutcome outcome{
      .rule = std::string(rule.name), .applied = reason.empty(), .reason = std::string(reason)};
  const auto known = std::ranges::find(explanation_->rules, outcome.rule, &RuleOutcome::rule);
  if (known == explanation_->rules.end())
    explanation_->rules.push_back(std::move(outcome));
  else if (!known->applied)
    *known = std::move(outcome);
}

}  // namespace cameo::model
