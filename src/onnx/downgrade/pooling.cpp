#include <algorithm>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

Ints list_attribute(const Translation& t, std::string_view name, std::size_t count, std::int64_t otherwise) {
  const auto* given = t.node.attribute_if<Ints>(name);
  return given ? *given : Ints(count, otherwise);
}

void no_dilations(Translation& t) {
  const Ints dilations = list_attribute(t, "dilations", 0, 1);
  if (std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; }))
    needs(t, "its window has gaps");
  remove_attribute(t, "dilations");
}

void no_ceil(Translation& t) {
  no_dilations(t);
  drop_attribute(t, "ceil_mode", 0, "it rounds sizes up");
}

// Just short of one more step is added at the end, so that rounding down keeps the last window.
void ceil_by_pads(Translation& t) {
  no_dilations(t);
  const bool up = integer_attribute(t, "ceil_mode", 0) != 0;
  remove_attribute(t, "ceil_mode");
  if (!up) return;
  const Ints kernel = list_attribute(t, "kernel_shape", 0, 1);
  const Ints strides = list_attribute(t, "strides", kernel.size(), 1);
  Ints pads = list_attribute(t, "pads", 2 * kernel.size(), 0);
  const bool counted = integer_attribute(t, "count_include_pad", 0) != 0 &&
                       std::any_of(pads.begin(), pads.end(), [](std::int64_t n) { return n != 0; });
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    std::int64_t& end = pads[kernel.size() + i];
    end += strides[i] - 1;
    if (end >= kernel[i] || counted) needs(t, "it rounds sizes up");
  }
  set_attribute(t, "pads", pads);
}

void floats_only(Translation& t) {
  for (DType small : {DType::i8, DType::u8})
    if (t.instead.empty() && t.node.inputs[0]->dtype() == small) through(t, small, DType::f32);
}

void no_shift(Translation& t) {
  if (text_attribute(t, "coordinate_transformation_mode", "half_pixel") == "half_pixel")
    needs(t, "it shifts its regions by half a pixel");
  remove_attribute(t, "coordinate_transformation_mode");
}

constexpr Revision kAveragePool[] = {{22, no_bf16}, {19, no_dilations}, {10, ceil_by_pads}};
constexpr Revision kMaxPool[] = {{22, no_bf16}, {12, floats_only}, {10, ceil_by_pads}};
constexpr Revision kLpPool[] = {{22, no_bf16}, {18, no_ceil}};
constexpr Revision kRoiAlign[] = {{22, no_bf16}, {16, no_shift}};

constexpr Revisions kPooling[] = {
    {"AveragePool", kAveragePool},
    {"MaxPool", kMaxPool},
    {"LpPool", kLpPool},
    {"RoiAlign", kRoiAlign},
};

}  // namespace

std::span<const Revisions> pooling_revisions() { return kPooling; }

}  // namespace cameo::onnx
