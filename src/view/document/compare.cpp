#include "view/document/compare.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include <fmt/core.h>

#include "base/index.h"
#include "base/text.h"
#include "model/diff/compare.h"
#include "model/diff/match.h"

namespace cameo::view {
namespace {

using model::Body;
using model::Renames;

Body body_of(const FlatBody& body) { return body.graph ? Body(*body.graph) : Body(*body.function); }

class Merging {
 public:
  Merging(FlatGraph& newer, const FlatGraph& older, model::Sides sides)
      : newer_(newer),
        older_(older),
        sides_(sides),
        value_(older.values.size(), -1),
        node_(older.nodes.size(), -1) {
    marks_.node.resize(newer.nodes.size(), Mark::added);
    marks_.node_text.resize(newer.nodes.size());
    marks_.weight.resize(newer.weights.size(), Mark::added);
    marks_.weight_text.resize(newer.weights.size());
    for (std::size_t i = 0; i < newer.values.size(); ++i)
      names_.emplace(std::pair(newer.values[i].body, newer.values[i].name), static_cast<int>(i));
  }

  Marks run() {
    if (older_.bodies.empty() || newer_.bodies.empty()) return std::move(marks_);
    Renames renames;
    model::Findings findings;
    const onnx::proto::Graph &a = *older_.bodies[0].graph, &b = *newer_.bodies[0].graph;
    model::compare_interface(findings, "input", a.inputs, b.inputs, renames);
    model::compare_interface(findings, "output", a.outputs, b.outputs, renames);
    for (const ModelDifference& each : findings.take())
      marks_.notes.push_back(fmt::format("{} {}: {}", each.what, each.name, each.detail));
    bodies(0, 0, renames);
    readers_of_gone();
    return std::move(marks_);
  }

 private:
  // ---- bodies of both models

  void bodies(int old_body, int new_body, Renames& renames) {
    const FlatBody& a = older_.bodies[as_size(old_body)];
    model::Findings ignored;
    if (a.graph && newer_.bodies[as_size(new_body)].graph)
      model::compare_weights(ignored, sides_, *a.graph, *newer_.bodies[as_size(new_body)].graph, renames);
    const Body left = body_of(a), right = body_of(newer_.bodies[as_size(new_body)]);
    const model::Matched matched = model::match(left, right, renames);
    const auto flat = by_source(newer_, newer_.bodies[as_size(new_body)].nodes);
    std::unordered_map<const onnx::proto::Node*, int> partners;
    for (std::size_t i = 0; i < left.nodes.size(); ++i)
      if (matched.partners[i])
        if (const auto found = flat.find(&right.nodes[*matched.partners[i]]); found != flat.end())
          partners.emplace(&left.nodes[i], found->second);
    std::vector<std::pair<int, int>> gone;  // node of the older model, the node of the newer one before it
    int anchor = -1;
    for (const int node : a.nodes) {
      const auto partner = partners.find(older_.nodes[as_size(node)].source);
      if (partner == partners.end()) {
        gone.emplace_back(node, anchor);
        continue;
      }
      anchor = partner->second;
      pair(node, anchor);
    }
    for (const auto& [node, before] : gone) outputs_of_gone(node, new_body);
    constants(old_body, new_body, renames);
    for (const auto& [node, partner] : partner_list(a.nodes)) compare(node, partner, renames);
    for (const auto& [node, before] : gone) rest_of_gone(node, new_body, renames);
    insert(new_body, gone);
  }

  static std::unordered_map<const onnx::proto::Node*, int> by_source(const FlatGraph& graph, const std::vector<int>& nodes) {
    std::unordered_map<const onnx::proto::Node*, int> found;
    for (const int node : nodes) found.emplace(graph.nodes[as_size(node)].source, node);
    return found;
  }

  std::vector<std::pair<int, int>> partner_list(const std::vector<int>& nodes) const {
    std::vector<std::pair<int, int>> list;
    for (const int node : nodes)
      if (node_[as_size(node)] >= 0 && as_size(node_[as_size(node)]) < marks_.node.size() && !gone_.contains(node))
        list.emplace_back(node, node_[as_size(node)]);
    return list;
  }

  // ---- nodes of both models

  void pair(int old_node, int new_node) {
    node_[as_size(old_node)] = new_node;
    const std::vector<int>&from = older_.nodes[as_size(old_node)].outputs, &to = newer_.nodes[as_size(new_node)].outputs;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      if (from[i] >= 0 && to[i] >= 0) value_[as_size(from[i])] = to[i];
  }

  void compare(int old_node, int new_node, const Renames& renames) {
    const onnx::proto::Node &a = *older_.nodes[as_size(old_node)].source, &b = *newer_.nodes[as_size(new_node)].source;
    std::vector<std::string> details = model::node_differences(sides_, a, b);
    const auto left = model::given_inputs(a), right = model::given_inputs(b);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const std::string_view from = i < left.size() ? left[i] : "", to = i < right.size() ? right[i] : "";
      if (renames(from) != to)
        details.push_back(fmt::format("input {} {} -> {}", i, from.empty() ? "none" : model::quoted(from.substr(0, 200)),
                                      to.empty() ? "none" : model::quoted(to.substr(0, 200))));
    }
    const bool renamed = !a.outputs.empty() && !b.outputs.empty() && a.outputs.front() != b.outputs.front();
    Mark& mark = marks_.node[as_size(new_node)];
    mark = !details.empty() ? Mark::changed : renamed ? Mark::renamed : Mark::same;
    marks_.node_text[as_size(new_node)] =
        !details.empty() ? join(details, "; ") : renamed ? std::string(a.outputs.front()) : std::string();
    const std::vector<int> inner = older_.nodes[as_size(old_node)].bodies, into = newer_.nodes[as_size(new_node)].bodies;
    for (std::size_t i = 0; i < std::min(inner.size(), into.size()); ++i) {
      Renames own(&renames);
      const Body from = body_of(older_.bodies[as_size(inner[i])]), to = body_of(newer_.bodies[as_size(into[i])]);
      for (std::size_t k = 0; k < std::min(from.inputs.size(), to.inputs.size()); ++k) own.add(from.inputs[k], to.inputs[k]);
      bodies(inner[i], into[i], own);
    }
  }

  // ---- constants

  void constants(int old_body, int new_body, const Renames& renames) {
    for (std::size_t i = 0; i < older_.weights.size(); ++i) {
      const FlatValue& value = older_.values[as_size(older_.weights[i].value)];
      if (value.body != old_body) continue;
      const auto found = names_.find(std::pair(new_body, renames(value.name)));
      if (found == names_.end() || newer_.values[as_size(found->second)].weight < 0) continue;
      value_[as_size(older_.weights[i].value)] = found->second;
      compare_constants(*older_.weights[i].tensor, newer_.values[as_size(found->second)]);
    }
  }

  void compare_constants(const onnx::proto::Tensor& a, const FlatValue& to) {
    const std::size_t weight = as_size(to.weight);
    const auto difference = model::tensor_difference(sides_, a, *newer_.weights[weight].tensor);
    const bool renamed = a.name != newer_.weights[weight].tensor->name && !a.name.empty();
    marks_.weight[weight] = difference ? Mark::changed : renamed ? Mark::renamed : Mark::same;
    marks_.weight_text[weight] = difference ? difference->detail : renamed ? std::string(a.name) : std::string();
  }

  // The value of the merged graph for one of the older model, which is added where it is gone.
  int value_of(int old_value, int new_body, const Renames& renames) {
    if (old_value < 0) return -1;
    int& known = value_[as_size(old_value)];
    if (known >= 0) return known;
    const FlatValue& from = older_.values[as_size(old_value)];
    for (int body = new_body; body >= 0 && known < 0; body = body == 0 ? -1 : newer_.nodes[as_size(newer_.bodies[as_size(body)].node)].body)
      if (const auto found = names_.find(std::pair(body, renames(from.name))); found != names_.end()) known = found->second;
    if (known < 0) known = add_value(from, from.weight >= 0 ? new_body : 0);
    return known;
  }

  int add_value(const FlatValue& from, int body) {
    const int made = static_cast<int>(newer_.values.size());
    newer_.values.push_back(from);
    FlatValue& value = newer_.values.back();
    value.body = body;
    value.producer = -1;
    if (from.weight >= 0) {
      value.weight = static_cast<int>(newer_.weights.size());
      newer_.weights.push_back({.tensor = older_.weights[as_size(from.weight)].tensor, .value = made, .older = true});
      marks_.weight.push_back(Mark::gone);
      marks_.weight_text.emplace_back();
    } else if (from.kind == ValueKind::output) {
      value.kind = ValueKind::computed;
    }
    if (from.producer < 0 && from.weight < 0) newer_.bodies[as_size(body)].inputs.push_back(made);
    return made;
  }

  // ---- nodes that are gone

  void outputs_of_gone(int old_node, int new_body) {
    const int made = static_cast<int>(newer_.nodes.size());
    node_[as_size(old_node)] = made;
    gone_.emplace(old_node, made);
    newer_.nodes.push_back({.source = older_.nodes[as_size(old_node)].source, .body = new_body});
    marks_.node.push_back(Mark::gone);
    marks_.node_text.emplace_back();
    for (const int output : older_.nodes[as_size(old_node)].outputs) {
      const int value = output < 0 ? -1 : add_value(older_.values[as_size(output)], new_body);
      newer_.nodes.back().outputs.push_back(value);
      if (value < 0) continue;
      newer_.values[as_size(value)].producer = made;
      value_[as_size(output)] = value;
    }
  }

  void rest_of_gone(int old_node, int new_body, const Renames& renames) {
    const int made = node_[as_size(old_node)];
    for (const int input : older_.nodes[as_size(old_node)].inputs) {
      const int value = value_of(input, new_body, renames);
      newer_.nodes[as_size(made)].inputs.push_back(value);
    }
    for (const int body : older_.nodes[as_size(old_node)].bodies) body_of_gone(body, made, renames);
  }

  void body_of_gone(int old_body, int holder, const Renames& renames) {
    const FlatBody& from = older_.bodies[as_size(old_body)];
    const int made = static_cast<int>(newer_.bodies.size());
    newer_.bodies.push_back({.node = holder, .name = from.name, .graph = from.graph, .function = from.function, .infos = from.infos});
    newer_.nodes[as_size(holder)].bodies.push_back(made);
    for (const int input : from.inputs) value_[as_size(input)] = add_value(older_.values[as_size(input)], made);
    for (const int node : from.nodes) outputs_of_gone(node, made);
    for (const int node : from.nodes) {
      rest_of_gone(node, made, renames);
      newer_.bodies[as_size(made)].nodes.push_back(node_[as_size(node)]);
    }
    const auto passed = [&](const std::vector<Passed>& list, std::vector<Passed> FlatBody::* to) {
      for (const Passed& each : list) {
        const Passed now{.outer = value_of(each.outer, made, renames), .inner = value_of(each.inner, made, renames)};
        (newer_.bodies[as_size(made)].*to).push_back(now);
      }
    };
    for (const int output : from.outputs) {
      const int value = value_of(output, made, renames);
      newer_.bodies[as_size(made)].outputs.push_back(value);
    }
    passed(from.given, &FlatBody::given);
    passed(from.taken, &FlatBody::taken);
  }

  // Each behind the node before it.
  void insert(int new_body, const std::vector<std::pair<int, int>>& gone) {
    std::map<int, std::vector<int>> behind;
    for (const auto& [node, before] : gone) behind[before].push_back(node_[as_size(node)]);
    std::vector<int> order = behind[-1];
    for (const int node : newer_.bodies[as_size(new_body)].nodes) {
      order.push_back(node);
      const std::vector<int>& after = behind[node];
      order.insert(order.end(), after.begin(), after.end());
    }
    newer_.bodies[as_size(new_body)].nodes = std::move(order);
  }

  // Nodes of both models that read the result of a node that is gone.
  void readers_of_gone() {
    for (std::size_t i = 0; i < older_.nodes.size(); ++i) {
      if (node_[i] < 0 || gone_.contains(static_cast<int>(i))) continue;
      FlatNode& reader = newer_.nodes[as_size(node_[i])];
      for (const int input : older_.nodes[i].inputs) {
        const int value = input < 0 ? -1 : value_[as_size(input)];
        const int producer = value < 0 ? -1 : newer_.values[as_size(value)].producer;
        if (producer >= 0 && marks_.node[as_size(producer)] == Mark::gone) reader.older_inputs.push_back(value);
      }
    }
  }

  FlatGraph& newer_;
  const FlatGraph& older_;
  model::Sides sides_;
  std::vector<int> value_, node_;  // of the older model: those of the merged graph
  std::unordered_map<int, int> gone_;
  std::map<std::pair<int, std::string_view>, int> names_;  // of values of the newer model, by body
  Marks marks_;
};

}  // namespace

Marks merge(FlatGraph& newer, const model::Opened& newer_model, const FlatGraph& older, const model::Opened& older_model) {
  model::Side left(older_model), right(newer_model);
  return Merging(newer, older, {.a = left, .b = right}).run();
}

}  // namespace cameo::view
