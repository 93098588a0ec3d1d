#include "model/quantize/activations.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "base/text.h"
#include "model/graph/links.h"
#include "model/infer/model_types.h"
#include "model/quantize/nodes.h"
#include "model/quantize/weight_quantizer.h"
#include "model/rewrite/tensors.h"
#include "onnx/check/context.h"
#include "onnx/fold/element.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using proto::Text;

// The kinds of nodes that are quantised.
enum class Role : std::uint8_t {
  product,    // sums of products of an activation with a weight or another activation
  pointwise,  // any other arithmetic
  limit,      // Relu and Clip, which the quantisation of their results can replace
  layout,     // the result has elements of the input, and therefore its scale
};

std::optional<Role> role_of(const proto::Node& node) {
  struct Row {
    std::string_view op;
    Role role;
  };
  constexpr Row kRows[] = {{"Conv", Role::product},
                           {"MatMul", Role::product},
                           {"Gemm", Role::product},
                           {"Add", Role::pointwise},
                           {"Mul", Role::pointwise},
                           {"Concat", Role::pointwise},
                           {"Sigmoid", Role::pointwise},
                           {"LeakyRelu", Role::pointwise},
                           {"AveragePool", Role::pointwise},
                           {"GlobalAveragePool", Role::pointwise},
                           {"Relu", Role::limit},
                           {"Clip", Role::limit},
                           {"MaxPool", Role::layout},
                           {"Reshape", Role::layout},
                           {"Flatten", Role::layout},
                           {"Transpose", Role::layout},
                           {"Squeeze", Role::layout},
                           {"Unsqueeze", Role::layout}};
  if (!node.domain.empty() && node.domain != "ai.onnx") return std::nullopt;
  const auto* found = std::ranges::find(kRows, node.op_type, &Row::op);
  if (found == std::end(kRows) || node.outputs.size() != 1) return std::nullopt;
  return found->role;
}

// The inputs that are activations or weights; the others are sizes, axes, limits and addends.
std::size_t operands(const proto::Node& node, Role role) {
  if (node.op_type == "Concat") return node.inputs.size();
  const bool two = role == Role::product || node.op_type == "Add" || node.op_type == "Mul";
  return std::min<std::size_t>(two ? 2 : 1, node.inputs.size());
}

Integers activation_integers(const QuantizeOptions& options) {
  return {.type = options.activations == ElementType::i8 ? DType::i8 : DType::u8,
          .symmetric = options.symmetric_activations};
}

// Scale and zero point of an activation, and the initialisers that hold them.
struct Parameters {
  GroupFit fit;
  Text scale, zero_point;
};

class ActivationQuantizer {
 public:
  ActivationQuantizer(Opened& opened, const QuantizeOptions& options, Names& names)
      : opened_(opened),
        main_(*opened.model.graph),
        options_(options),
        names_(names),
        lift_(opened, symbols_.symbols()),
        integers_(activation_integers(options)) {}

  QuantizeCounts run() {
    QuantizeOptions weights = options_;
    weights.form = QuantizeOptions::Form::dequantize_linear;
    weights.symmetric = true;
    weights.block = 0;
    weights.smallest = 1;
    Kept keep(options_.keep);
    for (const Weight& weight : find_weights(opened_, weights, keep, lift_))
      weights_.insert(main_.initializers[weight.tensor].name);
    read_ranges();
    count_readers();
    for (const proto::Node& node : main_.nodes) choose(node, keep);
    WeightQuantizer quantizer(opened_, weights, names_);
    quantizer.always_zero_points = true;
    quantizer.takes = [this](const Weight& weight) { return of_chosen(weight); };
    QuantizeCounts counts{.weights = quantizer.run(), .activations = quantized_.size()};
    rewrite(quantizer);
    return counts;
  }

 private:
  // ---- choices

  void read_ranges() {
    const Links links(main_);
    for (const ValueRange& range : options_.ranges) {
      if (!(range.least <= range.most) || !std::isfinite(range.most - range.least))
        fail_quantizing(
            opened_, Code::bad_range,
            fmt::format("the range of '{}' is {} to {}", printable(range.value), range.least, range.most),
            "look for NaN and infinities in the calibration data");
      if (!links.has(range.value))
        fail_quantizing(opened_, Code::no_such_value,
                        fmt::format("the model has no value '{}'", printable(range.value)),
                        "calibrate with the model that is quantised");
      const GroupFit fit =
          fit_range(std::min(range.least, 0.0), std::max(range.most, 0.0), integers_, DType::f32);
      fits_.emplace(range.value, fit);
    }
  }

  void count_readers() {
    for (const proto::Node& node : main_.nodes)
      for (const Text name : reads(node)) ++readers_[name];
    for (const proto::ValueInfo& output : main_.outputs) ++readers_[output.name];
    for (const proto::Tensor& tensor : main_.initializers) constants_.insert(tensor.name);
    for (const proto::Node& node : main_.nodes)
      if (role_of(node) == Role::limit) limited_.emplace(node.inputs[0], node.outputs[0]);
  }

  bool is_constant(Text name) const { return constants_.contains(name); }

  void choose(const proto::Node& node, Kept& keep) {
    const auto role = role_of(node);
    if (!role || keep(node) || !fits_.contains(std::string(node.outputs[0]))) return;
    bool fits = true, linked = *role == Role::product;
    for (std::size_t i = 0; i < operands(node, *role); ++i) {
      const Text input = node.inputs[i];
      linked = linked || quantized_.contains(input) || fused_.contains(input);
      if (is_constant(input))
        fits =
            fits && (*role == Role::product ? i == 1 && weights_.contains(input) : *role == Role::pointwise);
      else
        fits = fits && (fits_.contains(std::string(input)) || fused_.contains(input));
    }
    if (*role == Role::layout) fits = fits && quantized_.contains(node.inputs[0]);
    if (!fits || !linked) return;
    chosen_.insert(node.outputs[0]);
    for (std::size_t i = 0; i < operands(node, *role); ++i)
      if (!is_constant(node.inputs[i]) && !fused_.contains(node.inputs[i])) quantized_.insert(node.inputs[i]);
    if (*role == Role::layout)
      fits_.insert_or_assign(std::string(node.outputs[0]), fits_.at(std::string(node.inputs[0])));
    if (limits_follow(node, *role))
      fused_.insert(node.outputs[0]);
    else
      quantized_.insert(node.outputs[0]);
  }

  // A product or sum that only a Relu or a Clip reads is computed in one with it.
  bool limits_follow(const proto::Node& node, Role role) const {
    const Text result = node.outputs[0];
    if (role != Role::product && node.op_type != "Add") return false;
    const auto limit = limited_.find(result);
    return limit != limited_.end() && readers_.at(result) == 1 && fits_.contains(std::string(limit->second));
  }

  bool of_chosen(const Weight& weight) const {
    return weight.graph == &main_ && std::ranges::all_of(weight.readers, [this](const proto::Node* reader) {
             return chosen_.contains(reader->outputs[0]) && role_of(*reader) == Role::product;
           });
  }

  // ---- messages

  Text add(std::string_view base, std::string_view suffix, onnx::DataPtr data) {
    const Text name = names_.fresh(fmt::format("{}_{}", base, suffix));
    added_.push_back(tensor_of(name, std::move(data)));
    return name;
  }

  onnx::DataPtr zero_point(std::int16_t zero) const {
    return std::make_shared<onnx::Data>(integers_.type, std::vector<std::int64_t>(),
                                        std::vector{static_cast<std::byte>(zero & 0xFF)});
  }

  const Parameters& parameters(Text value) {
    const auto [found, added] = parameters_.try_emplace(value);
    if (!added) return found->second;
    const GroupFit& fit = fits_.at(std::string(value));
    found->second = {
        .fit = fit,
        .scale = add(value, "scale", onnx::Data::of<float>(DType::f32, {}, std::vector{fit.scale})),
        .zero_point = add(value, "zero_point", zero_point(fit.zero_point))};
    return found->second;
  }

  void rewrite(const WeightQuantizer& quantizer) {
    std::vector<proto::Node> nodes;
    for (const proto::ValueInfo& input : main_.inputs)
      if (quantized_.contains(input.name)) {
        const Text renamed = names_.fresh(fmt::format("{}_dequantized", input.name));
        pair(input.name, input.name, renamed, nodes);
        renamed_.emplace(input.name, renamed);
      }
    for (proto::Node& node : main_.nodes) {
      if (node.outputs.size() == 1 && chosen_.contains(node.outputs[0])) constants(node, quantizer, nodes);
      rename(node);
      std::vector<std::pair<Text, Text>> made;
      for (Text& output : node.outputs)
        if (quantized_.contains(output)) {
          const Text result = output;
          output = names_.fresh(fmt::format("{}_float", result));
          made.emplace_back(result, output);
        }
      nodes.push_back(std::move(node));
      for (const auto& [value, from] : made) pair(value, from, value, nodes);
    }
    main_.nodes = std::move(nodes);
    std::ranges::move(added_, std::back_inserter(main_.initializers));
  }

  void pair(Text value, Text from, Text to, std::vector<proto::Node>& nodes) {
    const Parameters own = parameters(value);
    const Text integers = names_.fresh(fmt::format("{}_quantized", value));
    nodes.push_back(make_node("QuantizeLinear", names_.fresh(fmt::format("{}_QuantizeLinear", value)),
                              {from, own.scale, own.zero_point}, integers));
    nodes.push_back(make_node("DequantizeLinear", names_.fresh(fmt::format("{}_DequantizeLinear", value)),
                              {integers, own.scale, own.zero_point}, to));
  }

  void rename(proto::Node& node) {
    for (Text& input : node.inputs)
      if (const auto found = renamed_.find(input); found != renamed_.end()) input = found->second;
    proto::each_subgraph(node, [this](proto::Graph& graph) {
      for (proto::Node& inner : graph.nodes) rename(inner);
    });
  }

  void constants(proto::Node& node, const WeightQuantizer& quantizer, std::vector<proto::Node>& nodes) {
    const Role role = *role_of(node);
    if (role == Role::pointwise)
      for (std::size_t i = 0; i < operands(node, role); ++i)
        if (is_constant(node.inputs[i])) node.inputs[i] = constant(node.inputs[i], nodes);
    if (role == Role::product && node.inputs.size() > 2 && is_constant(node.inputs[2]))
      bias(node, quantizer, nodes);
  }

  const proto::Tensor* initializer(Text name) const {
    const auto found = std::ranges::find(main_.initializers, name, &proto::Tensor::name);
    return found == main_.initializers.end() ? nullptr : &*found;
  }

  // A constant operand has one scale.
  Text constant(Text name, std::vector<proto::Node>& nodes) {
    const auto [found, added] = turned_.try_emplace(name);
    if (!added) return found->second;
    const proto::Tensor* tensor = initializer(name);
    const onnx::DataPtr data = tensor ? elements_of(*tensor, lift_) : nullptr;
    if (!data || data->dtype() != DType::f32 || data->numel() == 0) return found->second = name;
    const Grouping whole{.dims = {1, data->numel()}, .axis = 0};
    const auto fitted = std::make_shared<Fit>(fit(data, whole, integers_));
    if (!fitted->finite) return found->second = name;
    const Text result = names_.fresh(fmt::format("{}_dequantized", name));
    nodes.push_back(make_node("DequantizeLinear", names_.fresh(fmt::format("{}_DequantizeLinear", name)),
                              {add(name, "quantized", quantized(data, whole, integers_, fitted)),
                               add(name, "scale", scales_data(fitted, DType::f32, {})),
                               add(name, "zero_point", zero_points_data(fitted, integers_.type, {}))},
                              result));
    return found->second = result;
  }

  // An addend of a product has the scale of the product: that of the input times that of the weight.
  void bias(proto::Node& node, const WeightQuantizer& quantizer, std::vector<proto::Node>& nodes) {
    const Fit* weight = quantizer.fit_of(node.inputs[1]);
    const proto::Tensor* tensor = initializer(node.inputs[2]);
    const proto::Attribute* beta = onnx::find_attribute(node, "beta");
    if (!weight || !tensor || (beta && beta->f.value_or(1) != 1) || tensor->dims.size() != 1 ||
        !fits_.contains(std::string(node.inputs[0])) || std::ssize(weight->scales) != tensor->dims[0])
      return;
    const std::vector<float> numbers = onnx::read<float>(*elements_of(*tensor, lift_));
    const float input = fits_.at(std::string(node.inputs[0])).scale;
    std::vector<float> scales;
    std::vector<std::int32_t> integers;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      scales.push_back(input * weight->scales[i]);
      const double q = std::nearbyint(static_cast<double>(numbers[i]) / static_cast<double>(scales[i]));
      if (!(std::abs(q) < 0x1p31)) return;
      integers.push_back(static_cast<std::int32_t>(q));
    }
    const auto count = std::ssize(numbers);
    const Text name = node.inputs[2];
    const Text result = names_.fresh(fmt::format("{}_dequantized", name));
    nodes.push_back(make_node(
        "DequantizeLinear", names_.fresh(fmt::format("{}_DequantizeLinear", name)),
        {add(name, "quantized", onnx::Data::of<std::int32_t>(DType::i32, {count}, integers)),
         add(name, "scale", onnx::Data::of<float>(DType::f32, {count}, scales)),
         add(name, "zero_point",
             onnx::Data::of<std::int32_t>(DType::i32, {count}, std::vector<std::int32_t>(numbers.size())))},
        result, {{"axis", 0}}));
    node.inputs[2] = result;
  }

  Opened& opened_;
  proto::Graph& main_;
  const QuantizeOptions& options_;
  Names& names_;
  onnx::Model symbols_;
  Lift lift_;
  Integers integers_;
  std::unordered_map<std::string, GroupFit> fits_;
  std::unordered_map<std::string_view, int> readers_;
  std::unordered_map<std::string_view, Text> limited_;  // results of a Relu or a Clip by their input
  std::unordered_set<std::string_view> constants_, weights_;
  std::unordered_set<std::string_view> chosen_;  // nodes, by their result
  std::unordered_set<std::string_view> fused_;   // results that a Relu or a Clip limits first
  std::unordered_set<std::string_view> quantized_;
  std::unordered_map<std::string_view, Parameters> parameters_;
  std::unordered_map<std::string_view, Text> renamed_, turned_;
  std::vector<proto::Tensor> added_;
};

}  // namespace

std::vector<std::string> values_to_calibrate(const Opened& opened) {
  Opened copy = opened;
  ModelTypes types(copy, false);
  types.run();
  const proto::Graph& main = copy.graph();
  std::unordered_set<std::string_view> floats;
  const auto is_float = [](const onnx::Type& type) {
    return type.kind == onnx::Type::Kind::tensor && type.dtype == DType::f32;
  };
  for (const onnx::Value* input : types.inputs(main))
    if (is_float(input->type)) floats.insert(input->name);
  for (const NamedValue& value : types.values(main))
    if (is_float(value.value->type)) floats.insert(value.name);
  std::vector<std::string> found;
  for (const proto::Node& node : main.nodes) {
    const auto role = role_of(node);
    if (!role) continue;
    const auto add = [&](Text name) {
      if (floats.erase(name) > 0) found.emplace_back(name);
    };
    for (std::size_t i = 0; i < operands(node, *role); ++i) add(node.inputs[i]);
    add(node.outputs[0]);
  }
  return found;
}

QuantizeCounts quantize_activations(Opened& opened, const QuantizeOptions& options, Names& names) {
  return ActivationQuantizer(opened, options, names).run();
}

}  // namespace cameo::model
