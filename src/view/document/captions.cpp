#include "view/document/captions.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/index.h"
#include "base/sheet.h"
#include "base/text.h"
#include "model/diff/findings.h"
#include "model/file/stored.h"
#include "onnx/check/elements.h"

namespace cameo::view {
namespace {

using onnx::proto::Attribute;
using onnx::proto::Node;
using onnx::proto::Tensor;

constexpr std::size_t kMostInCaption = 8;

enum Category : std::uint8_t {
  other,
  convolution,
  matrix,
  activation,
  normalization,
  pooling,
  elementwise,
  reduction,
  layout,
  indexing,
  control,
  quantization
};

struct Row {
  Category category;
  std::string_view ops;  // separated by spaces
};
constexpr Row kRows[] = {
    {convolution, " Conv ConvTranspose ConvInteger QLinearConv DeformConv "},
    {matrix, " MatMul Gemm MatMulInteger QLinearMatMul Einsum MatMulNBits LSTM GRU RNN Attention "},
    {activation,
     " Relu LeakyRelu PRelu Sigmoid HardSigmoid Tanh Elu Selu Celu Gelu Softmax LogSoftmax Softplus Softsign "
     "HardSwish Swish Mish Clip Erf ThresholdedRelu Hardmax Dropout "},
    {normalization,
     " BatchNormalization LayerNormalization InstanceNormalization GroupNormalization RMSNormalization LRN "
     "LpNormalization MeanVarianceNormalization "},
    {pooling,
     " MaxPool AveragePool GlobalAveragePool GlobalMaxPool LpPool GlobalLpPool MaxRoiPool RoiAlign Resize "
     "Upsample GridSample "},
    {elementwise,
     " Add Sub Mul Div Pow Sqrt Exp Log Neg Abs Max Min Mod Reciprocal Floor Ceil Round Sign Sum Mean Sin "
     "Cos "},
    {elementwise,
     " Where Equal Greater Less GreaterOrEqual LessOrEqual And Or Not Xor Cast CastLike IsNaN IsInf BitShift "
     "BitwiseAnd BitwiseOr BitwiseNot BitwiseXor "},
    {reduction,
     " ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
     "ReduceSumSquare ArgMax ArgMin CumSum TopK "},
    {layout,
     " Reshape Transpose Flatten Squeeze Unsqueeze Concat Split Expand Tile Pad DepthToSpace SpaceToDepth "
     "Identity Shape Size Range ConstantOfShape Constant EyeLike "},
    {indexing,
     " Gather GatherElements GatherND Scatter ScatterElements ScatterND Slice NonZero OneHot Compress Unique "
     "NonMaxSuppression ReverseSequence Trilu "},
    {control,
     " If Loop Scan SequenceMap SequenceConstruct SequenceAt SequenceInsert SequenceErase SequenceEmpty "
     "SequenceLength SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement "},
    {quantization, " QuantizeLinear DequantizeLinear DynamicQuantizeLinear "},
};

const Attribute* find(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.attributes, name, &Attribute::name);
  return found == node.attributes.end() ? nullptr : &*found;
}

bool uniform(const std::vector<std::int64_t>& numbers) {
  return std::ranges::all_of(numbers, [&](std::int64_t number) { return number == numbers.front(); });
}

// "3×3, stride 2": the window of a convolution or a pooling.
std::string window(const Node& node, const Tensor* weight) {
  std::vector<std::int64_t> kernel;
  if (const Attribute* given = find(node, "kernel_shape"))
    kernel = given->ints;
  else if (weight && weight->dims.size() > 2)
    kernel.assign(weight->dims.begin() + 2, weight->dims.end());
  std::string text = join(kernel, "×");
  const auto add = [&](std::string_view name, std::string_view attribute) {
    const Attribute* given = find(node, attribute);
    if (!given || given->ints.empty()) return;
    const std::vector<std::int64_t>& numbers = given->ints;
    if (uniform(numbers) && numbers.front() == 1) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        uniform(numbers) ? std::to_string(numbers.front()) : join(numbers, "×"));
  };
  add("stride", "strides");
  add("dilation", "dilations");
  if (const Attribute* group = find(node, "group"); group && group->i.value_or(1) != 1)
    text += fmt::format(", {} groups", *group->i);
  return text;
}

const Tensor* weight_of(const FlatGraph& graph, const FlatNode& node, std::size_t input) {
  if (input >= node.inputs.size() || node.inputs[input] < 0) return nullptr;
  const int weight = element_at(graph.values, node.inputs[input]).weight;
  return weight < 0 ? nullptr : element_at(graph.weights, weight).tensor;
}

// The first attribute whose value is short.
std::string attribute_caption(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.t || attribute.g || !attribute.graphs.empty() || attribute.ints.size() > 8) continue;
    if (attribute.name == "to") {
      const auto type = static_cast<ElementType>(attribute.i.value_or(0));
      return fmt::format("to {}", name(type));
    }
    return fmt::format("{} {}", shown(attribute.name), model::attribute_value(attribute, kLongestLabel));
  }
  return {};
}

// The constants among the inputs: elements of small ones, dimensions of others.
std::string constant_caption(const FlatGraph& graph, const FlatNode& node) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Tensor* tensor = weight_of(graph, node, i);
    if (!tensor) continue;
    const std::string elements = elements_text(*tensor, kMostInCaption);
    return elements.empty() ? dimensions_text(*tensor) : elements;
  }
  return {};
}

}  // namespace

std::string node_caption(const FlatGraph& graph, const FlatNode& node, int category) {
  std::string text;
  if (category == convolution || category == pooling) text = window(*node.source, weight_of(graph, node, 1));
  if (category == elementwise || category == matrix || category == layout || category == indexing)
    text = constant_caption(graph, node);
  if (text.empty()) text = attribute_caption(*node.source);
  return cut_short(text, kLongestLabel);
}

std::string dimensions_text(const Tensor& tensor) { return join(tensor.dims, "×"); }

std::string elements_text(const Tensor& tensor, std::size_t most) {
  const auto count = onnx::element_count(tensor.dims);
  if (!count || *count > most || tensor.external()) return {};
  const model::Stored elements = model::stored(tensor);
  if (const auto* strings = std::get_if<std::vector<std::string_view>>(&elements)) {
    std::vector<std::string> texts;
    for (const std::string_view each : *strings) texts.push_back(model::quoted(each.substr(0, kLongestText)));
    return fmt::format("[{}]", join(texts, ", "));
  }
  const auto numbers = model::real_elements(tensor);
  if (!numbers || numbers->size() != *count) return {};
  std::vector<std::string> texts;
  for (const double number : *numbers) texts.push_back(fmt::format("{:.6g}", number));
  return tensor.dims.empty() && texts.size() == 1 ? texts.front() : fmt::format("[{}]", join(texts, ", "));
}

std::string count_text(std::int64_t count) {
  constexpr std::array<std::pair<double, char>, 3> kUnits = {{{1e9, 'G'}, {1e6, 'M'}, {1e4, 'k'}}};
  for (const auto& [unit, letter] : kUnits)
    if (static_cast<double>(count) >= unit)
      return fmt::format("{:.3g}{}", static_cast<double>(count) / (letter == 'k' ? 1e3 : unit), letter);
  return grouped(count);
}

int category_of(std::string_view domain, std::string_view op) {
  if (!domain.empty() && domain != "ai.onnx" && domain != "com.microsoft") return other;
  const std::string word = fmt::format(" {} ", op);
  const auto found =
      std::ranges::find_if(kRows, [&](const Row& row) { return row.ops.find(word) != row.ops.npos; });
  return found == std::end(kRows) ? other : found->category;
}

const std::vector<std::string>& category_names() {
  static const std::vector<std::string> names = {
      "other",       "convolution", "matrix", "activation", "normalization", "pooling",
      "elementwise", "reduction",   "layout", "indexing",   "control",       "quantization"};
  return names;
}

}  // namespace cameo::view
