#include <algorithm>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// Operators whose only news, or nearly, are that they take bf16.
constexpr Revision kAt22[] = {{22, no_bf16}};
constexpr Revision kAt16[] = {{16, no_bf16}};

void time_first(Translation& t) { drop_attribute(t, "layout", 0, "its batch comes first"); }
constexpr Revision kRecurrent[] = {{22, no_bf16}, {14, time_first}};

constexpr Revisions kSmallFloats[] = {
    {"Acos", kAt22},
    {"Acosh", kAt22},
    {"Asin", kAt22},
    {"Asinh", kAt22},
    {"Atan", kAt22},
    {"Atanh", kAt22},
    {"Bernoulli", kAt22},
    {"Conv", kAt22},
    {"ConvTranspose", kAt22},
    {"Cos", kAt22},
    {"Cosh", kAt22},
    {"DeformConv", kAt22},
    {"Det", kAt22},
    {"Elu", kAt22},
    {"EyeLike", kAt22},
    {"GRU", kRecurrent},
    {"GlobalAveragePool", kAt22},
    {"GlobalLpPool", kAt22},
    {"GlobalMaxPool", kAt22},
    {"HardSigmoid", kAt22},
    {"InstanceNormalization", kAt22},
    {"LSTM", kRecurrent},
    {"LpNormalization", kAt22},
    {"MaxUnpool", kAt22},
    {"Multinomial", kAt22},
    {"PRelu", kAt16},
    {"RNN", kRecurrent},
    {"RandomNormal", kAt22},
    {"RandomNormalLike", kAt22},
    {"RandomUniform", kAt22},
    {"RandomUniformLike", kAt22},
    {"Selu", kAt22},
    {"Sin", kAt22},
    {"Sinh", kAt22},
    {"Softplus", kAt22},
    {"Softsign", kAt22},
    {"Tan", kAt22},
    {"ThresholdedRelu", kAt22},
};

// Operators that only move elements. ONNX Runtime implements them for every type.
constexpr std::string_view kMoves[] = {
    "Cast",     "CastLike", "Concat",  "Flatten",         "Gather",    "GatherElements",
    "GatherND", "Identity", "Reshape", "ScatterElements", "ScatterND", "Shape",
    "Size",     "Slice",    "Split",   "Squeeze",         "Transpose", "Unsqueeze"};

// Larger weights stay bf16 in the file.
constexpr std::size_t kSmallWeight = 4096;

Value* as_f32(Emit& e, Value* value) {
  if (!value->constant() || value->data->byte_size() <= kSmallWeight) return e.cast(value, DType::f32);
  Node node;
  node.op = "Cast";
  node.inputs = {value};
  node.attributes = {{"to", std::int64_t{to_onnx(DType::f32)}}};
  Type type = value->type;
  type.dtype = DType::f32;
  return e.create(std::move(node), {Inferred{type, std::nullopt}}).front();
}

}  // namespace

bool without_bf16(Translation& t) {
  const auto tensor = [](const Inferred& result) { return result.type.kind == Type::Kind::tensor; };
  const auto numbers = [](const Value* input) {
    return input && input->type.kind == Type::Kind::tensor && input->dtype() == DType::bf16;
  };
  const bool asked = integer_attribute(t, "dtype", 0) == to_onnx(DType::bf16);
  if ((!asked && std::ranges::none_of(t.node.inputs, numbers)) || !std::ranges::all_of(t.results, tensor) ||
      std::ranges::find(kMoves, t.node.op) != std::end(kMoves))
    return false;
  for (Value*& input : t.node.inputs)
    if (numbers(input)) input = as_f32(t.emit, input);
  through(t, DType::bf16, DType::f32);
  return true;
}

std::span<const Revisions> small_float_revisions() { return kSmallFloats; }

}  // namespace cameo::onnx
