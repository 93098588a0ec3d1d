#include "model/linger/operators.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "onnx/proto/visit.h"

namespace cameo::model::linger {
namespace {

using namespace onnx::proto;  // NOLINT(google-build-using-namespace): the messages are what this is about

using Ops = std::vector<std::string_view>;

constexpr double kLayerNormScale = 32768;  // of normalised elements

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops) {
  return std::ranges::find(ops, op) != ops.end();
}

// Operators whose result has the integers of its first input.
bool keeps_integers(std::string_view op, Generation generation) {
  if (is_one_of(op, {"Identity", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice", "Pad",
                     "Gather", "Expand", "Tile", "Relu", "Clip", "Split"}))
    return true;
  return generation == Generation::thinker &&
         is_one_of(
             op, {"DepthToSpace", "SpaceToDepth", "GatherElements", "GatherND", "ReduceMax", "ReduceMin",
                  "Resize", "ReverseSequence", "ScopedEnter", "ScopedLeave", "ShuffleChannel", "Neg", "Abs"});
}

const Attribute* attribute(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

std::optional<double> number(const Node& node, std::string_view name) {
  const Attribute* found = attribute(node, name);
  if (!found) return std::nullopt;
  if (found->f) return *found->f;
  return found->i ? std::optional(static_cast<double>(*found->i)) : std::nullopt;
}

std::int64_t bits(const Node& node, std::string_view name, std::int64_t otherwise = 8) {
  const auto found = number(node, name);
  return found ? static_cast<std::int64_t>(*found) : otherwise;
}

Rounding rounding_of(const Node& node) {
  const Attribute* mode = attribute(node, "quant_mode");
  if (!mode) return Rounding::nearest_even;
  if (mode->s == "floor_add") return Rounding::floor_add;
  if (mode->s == "floor") return Rounding::floor;
  return mode->s == "ceil" ? Rounding::ceil : Rounding::nearest_even;
}

std::optional<Scale> scaled(std::optional<double> scale, std::int64_t bits,
                            Rounding rounding = Rounding::nearest_even) {
  if (!scale) return std::nullopt;
  return Scale{.scale = *scale, .bits = bits, .rounding = rounding};
}

std::optional<double> product(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a * *b) : std::nullopt;
}

bool is_recurrent(const Node& node) {
  return node.op_type.find("QGRU") != Text::npos || node.op_type.find("QLSTM") != Text::npos;
}

// x, the states, the weights of x and h, their biases.
std::optional<Scale> scale_in_recurrent(const Node& node, std::size_t input) {
  const bool lstm = node.op_type.find("QLSTM") != Text::npos;
  const bool hidden = bits(node, "has_hidden", 0) != 0, cell = bits(node, "has_cell", 0) != 0;
  const std::size_t weights = 1 + (lstm ? (hidden && cell ? 2U : 0U) : (hidden ? 1U : 0U));
  const auto x = number(node, "scale_x"), h = number(node, "scale_h");
  const auto of_x = number(node, "scale_iw"), of_h = number(node, "scale_hw");
  if (input == 0) return scaled(x, bits(node, "x_bits"), rounding_of(node));
  if (lstm && hidden && input == 1) return scaled(h, bits(node, "x_bits"));
  if (lstm && hidden && cell && input == 2) return scaled(number(node, "scale_c"), 32);
  if (input == weights) return scaled(of_x, bits(node, "w_bits"));
  if (input == weights + 1) return scaled(of_h, bits(node, "w_bits"));
  if (input == weights + 2) return scaled(product(x, of_x), 32);
  if (input == weights + 3) return scaled(product(h, of_h), 32);
  return std::nullopt;
}

// An operand: "x" or "x_0", "y" or "x_1", "x_2" ….
std::optional<Scale> scale_of_operand(const Node& node, std::size_t input) {
  std::vector<std::string> names{fmt::format("x_{}", input)};
  if (input < 2) names.insert(names.begin(), input == 0 ? "x" : "y");
  for (const std::string& name : names)
    if (const auto scale = number(node, "scale_" + name); scale && attribute(node, name + "_bits"))
      return scaled(scale, bits(node, name + "_bits"), rounding_of(node));
  return std::nullopt;
}

State integers(const Scale& scale) { return {.type = integer_type(scale.bits), .scale = scale}; }

std::vector<State> own_results(const Node& node, const std::vector<State>& inputs, Generation generation) {
  const std::size_t count = node.outputs.size();
  const State first = inputs.empty() ? State{} : inputs[0];
  if (node.op_type == "Dequant") return std::vector<State>(count);
  if (node.op_type == "Quant") {
    const auto scale = scale_of_quant(node);
    return std::vector<State>(count, scale ? integers(*scale) : State{.type = integer_type(8), .scale = {}});
  }
  if (is_one_of(node.op_type, {"Gather", "QEmbedding"}) && number(node, "scale_w"))
    return std::vector<State>(count, integers(*scaled(number(node, "scale_w"), bits(node, "w_bits"))));
  if (keeps_integers(node.op_type, generation)) return std::vector<State>(count, first);
  auto scale = number(node, "scale_o");
  if (const auto added = number(node, "scale_add_o"); added && (!scale || node.op_type == "BatchNorm2dInt"))
    scale = added;
  const bool stated =
      attribute(node, "o_bits") || (generation == Generation::thinker && node.op_type.starts_with("iq"));
  if (!scale || !stated) return std::vector<State>(count);
  std::vector<State> all(count, integers(*scaled(scale, bits(node, "o_bits"))));
  const bool recurrent = node.op_type.find("GRU") != Text::npos || node.op_type.find("LSTM") != Text::npos;
  if (recurrent) std::fill(all.begin() + 1, all.end(), State{});
  return all;
}

}  // namespace

Generation generation_of(const Graph& graph) {
  Generation found = Generation::none;
  each_node(graph.nodes, [&](const Node& node) {
    if (node.domain == "thinker" && found == Generation::none) found = Generation::thinker;
    if (node.domain == "linger") found = Generation::linger;
  });
  return found;
}

std::string_view domain_of(Generation generation) {
  return generation == Generation::thinker ? "thinker" : "linger";
}

bool same(const Scale& a, const Scale& b) {
  return std::abs(a.scale - b.scale) <= 1e-8 + 1e-6 * std::abs(b.scale) && a.bits == b.bits &&
         a.rounding == b.rounding;
}

DataType integer_type(std::int64_t bits) {
  return bits <= 8 ? kInt8 : bits <= 16 ? kInt16 : bits <= 32 ? kInt32 : kInt64;
}

std::optional<Scale> scale_of_quant(const Node& node) {
  if (node.op_type != "Quant" || (node.domain != "linger" && node.domain != "thinker")) return std::nullopt;
  return scaled(number(node, "scale_x"), bits(node, "data_bits", bits(node, "x_bits")), rounding_of(node));
}

std::optional<Scale> scale_of_input(const Node& node, std::size_t input) {
  if (node.domain != "linger") return std::nullopt;
  if (is_recurrent(node)) return scale_in_recurrent(node, input);
  const auto x = number(node, "scale_x"), w = number(node, "scale_w");
  if (is_one_of(node.op_type, {"Gather", "QEmbedding"}))
    return input == 0 ? scaled(w, bits(node, "w_bits")) : std::nullopt;
  if (node.op_type == "QLayerNorm" && input == 1 && w) return scaled(w, bits(node, "w_bits"));
  if (node.op_type == "QLayerNorm" && input == 2 && w)
    return scaled(number(node, "scale_y_normal").value_or(kLayerNormScale) * *w, 32);
  if (auto operand = scale_of_operand(node, input)) return operand;
  if (input == 1) return scaled(w, bits(node, "w_bits"));
  return input == 2 ? scaled(product(x, w), 32) : std::nullopt;
}

std::optional<Scale> scale_of_first(const Node& node) {
  if (is_one_of(node.op_type, {"Quant", "Dequant"})) return std::nullopt;
  if (node.domain == "thinker") return scaled(number(node, "scale_x"), bits(node, "data_bits"));
  return scale_of_input(node, 0);
}

bool takes_integers(const Node& node, std::size_t input, Generation generation) {
  if (node.domain == "linger")
    return node.op_type == "Dequant" || (input == 0 && node.op_type == "Squeeze") ||
           scale_of_input(node, input).has_value();
  if (node.domain == "thinker") return node.op_type != "Quant";
  if (node.op_type == "Equal") return true;
  return input == 0 &&
         (keeps_integers(node.op_type, generation) || is_one_of(node.op_type, {"MaxPool", "Shape", "Cast"}));
}

std::vector<State> results(const Node& node, const std::vector<State>& inputs, Generation generation,
                           const std::vector<DataType>& declared) {
  if (!node.domain.empty() && node.domain != "ai.onnx") {
    if (node.domain == domain_of(generation)) return own_results(node, inputs, generation);
    return std::vector<State>(node.outputs.size());
  }
  const State first = inputs.empty() ? State{} : inputs[0];
  std::vector<State> all;
  for (const DataType type : declared)
    all.push_back({.type = type == kUndefined ? first.type : type, .scale = {}});
  if (first.scale && keeps_integers(node.op_type, generation)) all.assign(all.size(), first);
  if (first.scale && node.op_type == "MaxPool") all[0] = first;
  if (node.op_type == "Shape") all.assign(all.size(), {.type = kInt64, .scale = {}});
  if (node.op_type == "Equal") all.assign(all.size(), {.type = kBool, .scale = {}});
  if (const auto to = number(node, "to"); to && node.op_type == "Cast")
    all[0].type = static_cast<DataType>(*to);
  return all;
}

std::vector<std::string_view> results_like(const Node& node, std::size_t input) {
  const bool selects =
      is_one_of(node.op_type, {"Identity", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice",
                               "Pad", "Gather", "Clip", "Expand", "Tile", "Split"});
  if ((selects && input == 0) || (node.op_type == "Where" && (input == 1 || input == 2)) ||
      node.op_type == "Concat")
    return {node.outputs.begin(), node.outputs.end()};
  if (node.op_type == "MaxPool" && input == 0 && !node.outputs.empty()) return {node.outputs[0]};
  return {};
}

}  // namespace cameo::model::linger
