#include "onnx/opset/families.h"
#include "onnx/opset/steps.h"

namespace cameo::onnx {
namespace {

void no_extremes(Translation& t) {
  const std::string reduction = text_attribute(t, "reduction", "none");
  if (reduction == "max" || reduction == "min") needs(t, "it keeps the largest or smallest update");
}

void no_reduction(Translation& t) { drop_attribute(t, "reduction", "none", "it combines updates"); }

void axis_to_attribute(Translation& t) {
  const Value* x = t.node.inputs[0];
  if (!has_input(t, 2)) {
    if (!x->has_rank()) needs(t, "the number of axes is not known");
    return set_attribute(t, "axis", x->rank() - 2);
  }
  input_to_integer(t, 2, "axis");
  if (const std::int64_t axis = integer_attribute(t, "axis", 1); axis < 0 && x->has_rank())
    set_attribute(t, "axis", axis + x->rank());
}

void quantize_attributes(Translation& t) {
  drop_attribute(t, "block_size", 0, "it quantises in blocks");
  drop_attribute(t, "output_dtype", 0, "it names the type of its result");
}

void quantize_precision(Translation& t) { drop_attribute(t, "precision", 0, "it names its precision"); }
void quantize_saturate(Translation& t) { remove_attribute(t, "saturate"); }

void no_dilations(Translation& t) {
  if (const auto* dilations = t.node.attribute_if<std::vector<std::int64_t>>("dilations"))
    for (std::int64_t dilation : *dilations)
      if (dilation != 1) needs(t, "its window has gaps");
  remove_attribute(t, "dilations");
}

void no_ceil(Translation& t) {
  no_dilations(t);
  drop_attribute(t, "ceil_mode", 0, "it rounds sizes up");
}

constexpr Revision kScatter[] = {{18, no_extremes}, {16, no_reduction}};
constexpr Revision kDft[] = {{20, axis_to_attribute}};
constexpr Revision kQuantize[] = {
    {23, quantize_precision}, {21, quantize_attributes}, {19, quantize_saturate}};
constexpr Revision kDequantize[] = {
    {23, [](Translation& t) { drop_attribute(t, "output_dtype", 0, "it names the type of its result"); }},
    {21, [](Translation& t) { drop_attribute(t, "block_size", 0, "it was quantised in blocks"); }}};
constexpr Revision kAveragePool[] = {{22, no_bf16}, {19, no_dilations}};
constexpr Revision kLpPool[] = {{22, no_bf16}, {18, no_ceil}};

constexpr Revisions kIndexing[] = {
    {"ScatterElements", kScatter}, {"ScatterND", kScatter},           {"DFT", kDft},
    {"QuantizeLinear", kQuantize}, {"DequantizeLinear", kDequantize}, {"AveragePool", kAveragePool},
    {"LpPool", kLpPool},
};

}  // namespace

std::span<const Revisions> indexing_revisions() { return kIndexing; }

}  // namespace cameo::onnx
