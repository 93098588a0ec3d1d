#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

void no_axis(Translation& t) {
  if (const Value* scale = t.node.inputs[1]; !scale->has_rank() || scale->rank() > 0)
    needs(t, "each index of an axis has its own scale");
  remove_attribute(t, "axis");
}

void quantize_attributes(Translation& t) {
  drop_attribute(t, "block_size", 0, "it quantises in blocks");
  drop_attribute(t, "output_dtype", 0, "it names the type of its result");
}

void quantize_precision(Translation& t) { drop_attribute(t, "precision", 0, "it names its precision"); }
void quantize_saturate(Translation& t) { remove_attribute(t, "saturate"); }

constexpr Revision kQuantize[] = {
    {23, quantize_precision}, {21, quantize_attributes}, {19, quantize_saturate}, {13, no_axis}};
constexpr Revision kDequantize[] = {
    {23, [](Translation& t) { drop_attribute(t, "output_dtype", 0, "it names the type of its result"); }},
    {21, [](Translation& t) { drop_attribute(t, "block_size", 0, "it was quantised in blocks"); }},
    {13, no_axis}};

constexpr Revisions kQuantization[] = {
    {"QuantizeLinear", kQuantize},
    {"DequantizeLinear", kDequantize},
};

}  // namespace

std::span<const Revisions> quantization_revisions() { return kQuantization; }

}  // namespace cameo::onnx
