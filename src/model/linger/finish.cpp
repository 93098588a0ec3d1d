// The last steps: names, types, and the errors of what is left.

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "model/linger/converter.h"
#include "onnx/proto/visit.h"

namespace cameo::model::linger {

namespace proto = onnx::proto;

namespace {

constexpr std::size_t kMostShown = 20;

void require_none(const std::vector<std::string>& faults, Code code, const char* title, const char* hint,
                  const std::string& file) {
  if (faults.empty()) return;
  Diagnostic error{.code = code, .message = title, .file = file, .hint = hint};
  error.notes.assign(faults.begin(),
                     faults.begin() + static_cast<std::ptrdiff_t>(std::min(faults.size(), kMostShown)));
  if (faults.size() > kMostShown)
    error.notes.push_back(fmt::format("... and {} more", faults.size() - kMostShown));
  throw Error(std::move(error));
}

std::string title_of(const proto::Node& node) {
  return printable(node.name.empty() ? node.op_type : node.name);
}

// ".block.conv." of "/block/conv/Conv".
std::string dotted_scope(const proto::Node& node) {
  std::string scope(node.name.substr(0, node.name.rfind('/') + 1));
  std::ranges::replace(scope, '/', '.');
  return scope.empty() ? "." : scope;
}

const char* numpy_name(proto::DataType type) {
  return type == proto::kInt8    ? "int8"
         : type == proto::kInt16 ? "int16"
         : type == proto::kInt32 ? "int32"
                                 : "int64";
}

}  // namespace

// As linger does: numbers for values, and nodes are called after their operator and first result. linger 1 keeps the
// names of values.
void Converter::name_values() {
  std::map<Text, Text> renamed;
  if (generation_ == Generation::linger) {
    for (const auto* list : {&graph_.inputs, &graph_.outputs})
      for (const proto::ValueInfo& info : *list) renamed[info.name] = info.name;
    for (const proto::Tensor& tensor : graph_.initializers) renamed[tensor.name] = tensor.name;
    int next = 0;
    for (const Node& node : graph_.nodes)
      for (const Text output : node.outputs)
        if (!output.empty() && !renamed.contains(output))
          renamed[output] = names_->keep(std::to_string(next++));
  }
  const auto rename = [&](Text& value) {
    if (const auto found = renamed.find(value); found != renamed.end()) value = found->second;
  };
  const std::function<void(proto::Graph&)> visit = [&](proto::Graph& graph) {
    for (Node& node : graph.nodes) {
      std::ranges::for_each(node.inputs, rename);
      std::ranges::for_each(node.outputs, rename);
      const std::string scope = generation_ == Generation::linger ? ""
                                : options_.scoped_names           ? dotted_scope(node)
                                                                  : std::string(node.name);
      const auto first = std::ranges::find_if(node.outputs, [](Text output) { return !output.empty(); });
      if (first != node.outputs.end())
        node.name = names_->keep(fmt::format("{}{}_{}", scope, node.op_type, *first));
      proto::each_subgraph(node, visit);
    }
    for (auto* list : {&graph.inputs, &graph.outputs, &graph.value_infos})
      for (proto::ValueInfo& info : *list) rename(info.name);
  };
  visit(graph_);
  std::map<std::string_view, proto::DataType> declared;
  for (const auto& [value, type] : declared_) {
    Text name = value;
    rename(name);
    declared[name] = type;
  }
  declared_ = std::move(declared);
}

void Converter::declare_types() {
  States states = initial_states();
  std::map<std::string_view, proto::ValueInfo> known;
  for (proto::ValueInfo& info : graph_.value_infos) known.emplace(info.name, std::move(info));
  graph_.value_infos.clear();
  const auto set_type = [&](proto::ValueInfo& info) {
    const auto state = states.find(info.name);
    if (state == states.end() || state->second.type == proto::kUndefined) return;
    if (!info.type) info.type.emplace();
    info.type->kind = proto::Type::Kind::tensor;
    info.type->element = state->second.type;
  };
  std::set<std::string_view> outputs;
  for (const proto::ValueInfo& output : graph_.outputs) outputs.insert(output.name);
  for (const Node& node : graph_.nodes) {
    add_results(node, inputs_of(node, states), states);
    for (const Text output : node.outputs) {
      if (output.empty() || outputs.contains(output)) continue;
      const auto found = known.find(output);
      proto::ValueInfo info = found == known.end() ? proto::ValueInfo{} : std::move(found->second);
      info.name = output;
      set_type(info);
      if (info.type) graph_.value_infos.push_back(std::move(info));
    }
  }
  std::ranges::for_each(graph_.inputs, set_type);
  std::ranges::for_each(graph_.outputs, set_type);
}

void Converter::require_quantized_weights() const {
  std::vector<std::string> faults;
  for (const Node& node : graph_.nodes)
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto weight = weights_.find(node.inputs[i]);
      const auto scale = scale_of_input(node, i);
      if (weight == weights_.end() || !scale) continue;
      const proto::Tensor& tensor = graph_.initializers[weight->second];
      if (tensor.data_type != integer_type(scale->bits))
        faults.push_back(fmt::format("{} input[{}] {}: expected {}, got {}", title_of(node), i,
                                     printable(node.inputs[i]), numpy_name(integer_type(scale->bits)),
                                     name(static_cast<ElementType>(tensor.data_type.value_or(0)))));
    }
  require_none(faults, Code::float_weight,
               "ONNX export produced non-quantized initializer(s) for quantized inputs:",
               "the weight has a type that linger does not quantise", opened_.file->name());
}

void Converter::require_boundaries() const {
  if (generation_ != Generation::linger) return;
  std::vector<std::string> faults;
  States states = initial_states();
  for (const Node& node : graph_.nodes) {
    const std::vector<State> inputs = inputs_of(node, states);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (node.inputs[i].empty()) continue;
      const std::string place = fmt::format("{} input[{}] {}", title_of(node), i, printable(node.inputs[i]));
      if (scale_of_input(node, i) && !weights_.contains(node.inputs[i]) && !inputs[i].scale)
        faults.push_back(place + " requires Quant but is not produced by a quantized tensor");
      if (inputs[i].scale && !takes_integers(node, i, generation_))
        faults.push_back(place + " still carries quantized data without Dequant");
    }
    add_results(node, inputs, states);
  }
  require_none(faults, Code::quant_boundary, "ONNX export has invalid quant/dequant boundaries:",
               "quantise the value with linger.Quant or a quantised module", opened_.file->name());
}

}  // namespace cameo::model::linger
