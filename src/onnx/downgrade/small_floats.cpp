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

}  // namespace

std::span<const Revisions> small_float_revisions() { return kSmallFloats; }

}  // namespace cameo::onnx
