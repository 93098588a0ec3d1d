#include "model/linger/converter.h"

#include <algorithm>
#include <deque>
#include <set>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "model/linger/functions.h"
#include "model/linger/integers.h"
#include "model/rewrite/magnitudes.h"
#include "model/rewrite/tensors.h"
#include "onnx/facts/facts.h"
#include "onnx/proto/visit.h"

namespace cameo::model::linger {

namespace proto = onnx::proto;

namespace {

constexpr std::size_t kMostHops = 16;  // through nodes that pass a weight on

proto::Attribute attribute(Text name, double value) {
  proto::Attribute made;
  made.name = name;
  made.type = static_cast<std::int32_t>(onnx::facts::Kind::real);
  made.f = static_cast<float>(value);
  return made;
}

bool is_float(const proto::Tensor& tensor) {
  return tensor.data_type == proto::kFloat || tensor.data_type == proto::kFloat16 ||
         tensor.data_type == proto::kDouble;
}

}  // namespace

Converter::Converter(Opened& opened, Generation generation, const LingerOptions& options)
    : opened_(opened),
      graph_(*opened.model.graph),
      generation_(generation),
      options_(options),
      names_(std::make_shared<Names>(opened.model)),
      lift_(opened, symbols_) {
  opened.kept.push_back(names_);
  for (const auto* list : {&graph_.inputs, &graph_.value_infos, &graph_.outputs})
    for (const proto::ValueInfo& info : *list)
      if (info.type && info.type->element) declared_[info.name] = *info.type->element;
  for (const proto::ValueInfo& input : graph_.inputs) inputs_.insert(input.name);
}

Counts Converter::run() {
  if (generation_ == Generation::linger) lift_constants();
  drop_identities();
  for (std::size_t i = 0; i < graph_.initializers.size(); ++i) weights_[graph_.initializers[i].name] = i;
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
    for (std::size_t k = 0; k < graph_.nodes[i].inputs.size(); ++k) {
      ++readers_[graph_.nodes[i].inputs[k]];
      uses_[graph_.nodes[i].inputs[k]].emplace_back(i, k);
    }
  fold_quants();
  quantize_weights();
  remove_idle_weights();
  insert_dequants();
  if (!options_.quantized_io) dequantize_outputs();
  name_values();
  declare_types();
  require_quantized_weights();
  require_boundaries();
  if (options_.functions) add_functions(opened_.model, *names_, opened_.file->name());
  return counts_;
}

bool Converter::is_float_weight(Text value) const {
  const auto found = weights_.find(value);
  return found != weights_.end() && is_float(graph_.initializers[found->second]);
}

// Constant nodes become initialisers, so that they can be quantised as those are.
void Converter::lift_constants() {
  std::set<Text> outputs;
  for (const proto::ValueInfo& output : graph_.outputs) outputs.insert(output.name);
  std::erase_if(graph_.nodes, [&](Node& node) {
    if (node.op_type != "Constant" || !node.domain.empty() || node.outputs.size() != 1 ||
        outputs.contains(node.outputs[0]) || node.attributes.size() != 1 || !node.attributes[0].t)
      return false;
    proto::Tensor tensor = std::move(*node.attributes[0].t);
    tensor.name = node.outputs[0];
    graph_.initializers.push_back(std::move(tensor));
    return true;
  });
}

// Identity nodes within the graph. One whose result is an output gives it its name, and stays.
void Converter::drop_identities() {
  std::set<Text> outputs;
  for (const proto::ValueInfo& output : graph_.outputs) outputs.insert(output.name);
  std::map<Text, Text> same;
  const std::function<void(Node&)> rename = [&](Node& node) {
    for (Text& input : node.inputs)
      if (const auto found = same.find(input); found != same.end()) input = found->second;
    proto::each_subgraph(node, [&](proto::Graph& inner) {
      std::ranges::for_each(inner.nodes, rename);
      for (proto::ValueInfo& output : inner.outputs)
        if (const auto found = same.find(output.name); found != same.end()) output.name = found->second;
    });
  };
  std::erase_if(graph_.nodes, [&](Node& node) {
    rename(node);
    const bool idle = node.op_type == "Identity" && node.domain.empty() && node.inputs.size() == 1 &&
                      node.outputs.size() == 1 && !outputs.contains(node.outputs[0]);
    if (idle) same[node.outputs[0]] = node.inputs[0];
    return idle;
  });
}

// A Quant node of a weight is not needed: the weight is quantised itself.
void Converter::fold_quants() {
  std::set<Text> outputs;
  for (const proto::ValueInfo& output : graph_.outputs) outputs.insert(output.name);
  std::map<Text, Text> replaced;
  std::set<const Node*> folded;
  for (Node& node : graph_.nodes) {
    const auto scale = scale_of_quant(node);
    if (!scale || node.inputs.size() != 1 || node.outputs.size() != 1 || outputs.contains(node.outputs[0]) ||
        !weights_.contains(node.inputs[0]))
      continue;
    if (is_float_weight(node.inputs[0])) replace_weight(node, 0, *scale);
    replaced[node.outputs[0]] = node.inputs[0];
    folded.insert(&node);
  }
  if (replaced.empty()) return;
  for (Node& node : graph_.nodes)
    for (Text& input : node.inputs)
      if (const auto found = replaced.find(input); found != replaced.end()) input = found->second;
  std::vector<Node> kept;
  for (Node& node : graph_.nodes)
    if (!folded.contains(&node)) kept.push_back(std::move(node));
  graph_.nodes = std::move(kept);
  uses_.clear();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
    for (std::size_t k = 0; k < graph_.nodes[i].inputs.size(); ++k)
      uses_[graph_.nodes[i].inputs[k]].emplace_back(i, k);
}

void Converter::quantize_weights() {
  for (Node& node : graph_.nodes)
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!is_float_weight(node.inputs[i])) continue;
      auto scale = scale_of_input(node, i);
      if (!scale) scale = scale_behind(node, i);
      if (scale) replace_weight(node, i, *scale);
    }
}

// The scale that all operators need that read the weight through nodes which pass it on.
std::optional<Scale> Converter::scale_behind(const Node& node, std::size_t input) const {
  std::optional<Scale> common;
  std::deque<std::pair<Text, std::size_t>> open;
  for (const Text value : results_like(node, input)) open.emplace_back(value, 1);
  std::set<Text> seen;
  for (; !open.empty(); open.pop_front()) {
    const auto [value, hops] = open.front();
    const auto uses = uses_.find(value);
    if (hops > kMostHops || !seen.insert(value).second || uses == uses_.end()) continue;
    for (const auto& [reader, index] : uses->second) {
      const Node& next = graph_.nodes[reader];
      auto scale = scale_of_quant(next);
      if (!scale) scale = scale_of_input(next, index);
      if (scale && common && !same(*scale, *common)) return std::nullopt;
      if (scale)
        common = scale;
      else
        for (const Text result : results_like(next, index)) open.emplace_back(result, hops + 1);
    }
  }
  return common;
}

// A weight that several nodes read, with scales of their own, becomes one weight for each scale.
void Converter::replace_weight(Node& node, std::size_t input, const Scale& scale) {
  const Text name = node.inputs[input];
  const auto key = std::make_tuple(name, scale.scale, scale.bits, scale.rounding);
  if (const auto known = made_.find(key); known != made_.end()) {
    node.inputs[input] = known->second;
    return;
  }
  proto::Tensor& tensor = graph_.initializers[weights_.at(name)];
  const onnx::DataPtr elements = elements_of(tensor, lift_);
  if (!magnitudes(*elements).finite)
    throw Error(Diagnostic{
        .code = Code::weight_not_finite,
        .message = fmt::format("the weight '{}' has elements that are not finite", printable(name)),
        .file = opened_.file->name(),
        .hint = "train the model again, or remove the weight"});
  const onnx::DataPtr whole = integers(elements, scale);
  ++counts_.weights;
  if (readers_[name] <= 1) {
    set_elements(tensor, whole);
    made_[key] = name;
    scales_[name] = scale;
    return;
  }
  const Text made = names_->fresh(fmt::format("{}.quant_{}", name, input));
  weights_[made] = graph_.initializers.size();
  graph_.initializers.push_back(tensor_of(made, whole));
  --readers_[name];
  node.inputs[input] = made_[key] = made;
  scales_[made] = scale;
}

void Converter::remove_idle_weights() {
  std::set<Text> used;
  for (const Node& node : graph_.nodes)
    for (const Text value : reads(node)) used.insert(value);
  for (const proto::ValueInfo& output : graph_.outputs) used.insert(output.name);
  std::erase_if(graph_.initializers, [&](const proto::Tensor& each) { return !used.contains(each.name); });
  weights_.clear();
  for (std::size_t i = 0; i < graph_.initializers.size(); ++i) weights_[graph_.initializers[i].name] = i;
  std::erase_if(graph_.inputs, [&](const proto::ValueInfo& each) { return weights_.contains(each.name); });
}

Converter::States Converter::initial_states() const {
  States states;
  for (const auto& [value, type] : declared_) states[value] = {.type = type, .scale = {}};
  for (const proto::Tensor& tensor : graph_.initializers)
    states[tensor.name] = {.type = tensor.data_type.value_or(proto::kUndefined), .scale = {}};
  for (const auto& [weight, scale] : scales_) states[weight].scale = scale;
  if (!options_.quantized_io) return states;
  for (const Node& node : graph_.nodes)  // inputs of the model that an operator of linger reads as they are
    if (const auto scale = node.inputs.empty() ? std::nullopt : scale_of_first(node))
      if (const auto found = inputs_.find(node.inputs[0]); found != inputs_.end())
        states[node.inputs[0]] = {.type = integer_type(scale->bits), .scale = scale};
  return states;
}

std::vector<State> Converter::inputs_of(const Node& node, const States& states) const {
  std::vector<State> inputs;
  for (const Text input : node.inputs) {
    const auto found = states.find(input);
    inputs.push_back(found == states.end() ? State{} : found->second);
  }
  return inputs;
}

void Converter::add_results(const Node& node, const std::vector<State>& inputs, States& states) const {
  std::vector<proto::DataType> declared;
  for (const Text output : node.outputs) {
    const auto found = declared_.find(output);
    declared.push_back(found == declared_.end() ? proto::kUndefined : found->second);
  }
  if (node.op_type == "Constant" && node.attributes.size() == 1 && node.attributes[0].t)
    declared.assign(declared.size(), node.attributes[0].t->data_type.value_or(proto::kFloat));
  const std::vector<State> made = results(node, inputs, generation_, declared);
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (!node.outputs[i].empty()) states[node.outputs[i]] = made[i];
}

Text Converter::dequantized(Text value, double scale, std::vector<Node>& nodes, Text result) {
  Node node;
  node.op_type = "Dequant";
  node.domain = domain_of(generation_);
  node.inputs = {value};
  node.outputs = {result};
  node.attributes = {attribute("scale_o", scale)};
  nodes.push_back(std::move(node));
  declared_[result] = proto::kFloat;
  ++counts_.dequants;
  return result;
}

// Where a float operator reads a quantised value.
void Converter::insert_dequants() {
  States states = initial_states();
  std::vector<Node> nodes;
  for (Node& node : graph_.nodes) {
    std::vector<State> inputs = inputs_of(node, states);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].scale || takes_integers(node, i, generation_)) continue;
      const Text value = node.inputs[i];
      const std::string name =
          generation_ == Generation::thinker
              ? fmt::format("Dequant_{}_{}", value, node.outputs.empty() ? "" : node.outputs[0])
              : fmt::format("{}_dequant", value);
      node.inputs[i] = dequantized(value, inputs[i].scale->scale, nodes, names_->fresh(name));
      inputs[i] = {};
    }
    add_results(node, inputs, states);
    nodes.push_back(std::move(node));
  }
  graph_.nodes = std::move(nodes);
}

// Outputs keep their names and are floats.
void Converter::dequantize_outputs() {
  States states = initial_states();
  for (const Node& node : graph_.nodes) add_results(node, inputs_of(node, states), states);
  std::map<Text, Text> renamed;
  std::vector<Node> added;
  for (const proto::ValueInfo& output : graph_.outputs) {
    const auto state = states.find(output.name);
    if (state == states.end() || !state->second.scale || renamed.contains(output.name)) continue;
    const Text inner = names_->fresh(fmt::format("{}_quant", output.name));
    renamed[output.name] = inner;
    dequantized(inner, state->second.scale->scale, added, output.name);
  }
  const auto rename = [&](Text& value) {
    if (const auto found = renamed.find(value); found != renamed.end()) value = found->second;
  };
  for (Node& node : graph_.nodes) {
    std::ranges::for_each(node.inputs, rename);
    std::ranges::for_each(node.outputs, rename);
  }
  std::ranges::move(added, std::back_inserter(graph_.nodes));
}

}  // namespace cameo::model::linger
