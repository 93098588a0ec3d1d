#include <algorithm>

#include "onnx/opset/families.h"
#include "onnx/opset/versions.h"

namespace cameo::onnx {
namespace {

struct Row {
  std::string_view op;
  int first;
};

// By name.
constexpr Row kFirst[] = {
    {"AffineGrid", 20},
    {"Attention", 23},
    {"Bernoulli", 15},
    {"BitCast", 26},
    {"BitShift", 11},
    {"BitwiseAnd", 18},
    {"BitwiseNot", 18},
    {"BitwiseOr", 18},
    {"BitwiseXor", 18},
    {"BlackmanWindow", 17},
    {"CastLike", 15},
    {"CausalConvWithState", 27},
    {"Celu", 12},
    {"CenterCropPad", 18},
    {"Col2Im", 18},
    {"ConcatFromSequence", 11},
    {"ConvInteger", 10},
    {"CumProd", 26},
    {"CumSum", 11},
    {"DFT", 17},
    {"DeformConv", 19},
    {"DequantizeLinear", 10},
    {"Det", 11},
    {"DynamicQuantizeLinear", 11},
    {"Einsum", 12},
    {"GatherElements", 11},
    {"GatherND", 11},
    {"Gelu", 20},
    {"GreaterOrEqual", 12},
    {"GridSample", 16},
    {"GroupNormalization", 18},
    {"HammingWindow", 17},
    {"HannWindow", 17},
    {"HardSwish", 14},
    {"ImageDecoder", 20},
    {"IsInf", 10},
    {"LayerNormalization", 17},
    {"LessOrEqual", 12},
    {"LinearAttention", 27},
    {"MatMulInteger", 10},
    {"MelWeightMatrix", 17},
    {"Mish", 18},
    {"Mod", 10},
    {"NegativeLogLikelihoodLoss", 12},
    {"NonMaxSuppression", 10},
    {"Optional", 15},
    {"OptionalGetElement", 15},
    {"OptionalHasElement", 15},
    {"QLinearConv", 10},
    {"QLinearMatMul", 10},
    {"QuantizeLinear", 10},
    {"RMSNormalization", 23},
    {"Range", 11},
    {"RegexFullMatch", 20},
    {"Resize", 10},
    {"ReverseSequence", 10},
    {"RoiAlign", 10},
    {"RotaryEmbedding", 23},
    {"Round", 11},
    {"STFT", 17},
    {"ScatterElements", 11},
    {"ScatterND", 11},
    {"SequenceAt", 11},
    {"SequenceConstruct", 11},
    {"SequenceEmpty", 11},
    {"SequenceErase", 11},
    {"SequenceInsert", 11},
    {"SequenceLength", 11},
    {"SequenceMap", 17},
    {"SoftmaxCrossEntropyLoss", 12},
    {"SplitToSequence", 11},
    {"StringConcat", 20},
    {"StringNormalizer", 10},
    {"StringSplit", 20},
    {"SwiGLU", 28},
    {"Swish", 24},
    {"TensorScatter", 24},
    {"ThresholdedRelu", 10},
    {"Trilu", 14},
    {"Unique", 11},
};

}  // namespace

int first_opset(std::string_view op) {
  const auto* row = std::lower_bound(std::begin(kFirst), std::end(kFirst), op,
                                     [](const Row& r, std::string_view name) { return r.op < name; });
  return row != std::end(kFirst) && row->op == op ? row->first : kMinOpset;
}

}  // namespace cameo::onnx
