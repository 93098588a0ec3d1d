#include "onnx/downgrade/families.h"
#include "onnx/downgrade/resample.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

void no_symmetric(Translation& t) {
  if (text_attribute(t, "coordinate_transformation_mode", "half_pixel") == "half_pixel_symmetric")
    needs(t, "it maps positions symmetrically");
}

// Sizes or scales of some axes become those of all.
void resize_all_axes(Translation& t) {
  drop_attribute(t, "antialias", 0, "it smoothes when it shrinks");
  drop_attribute(t, "keep_aspect_ratio_policy", "stretch", "it keeps the aspect ratio");
  const auto* listed = t.node.attribute_if<std::vector<std::int64_t>>("axes");
  if (!listed) return;
  const std::vector<std::int64_t> axes = *listed;
  remove_attribute(t, "axes");
  const Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  if (has_input(t, 1)) needs(t, "it takes a region of some axes");
  if (has_input(t, 3)) {
    Shape sizes = *x->type.shape;
    std::int64_t place = 0;
    for (const std::int64_t axis : axes) {
      Value* size = t.emit.gather(t.node.inputs[3], t.emit.scalar(DType::i64, place++), 0);
      element_at(sizes, axis) = t.emit.number(size);
    }
    t.node.inputs[3] = t.emit.dims(sizes);
    return;
  }
  std::vector<Value*> scales(as_size(x->rank()), t.emit.unsqueeze(t.emit.scalar(DType::f32, 1.0), {0}));
  std::int64_t place = 0;
  for (const std::int64_t axis : axes)
    element_at(scales, axis) = t.emit.gather(t.node.inputs[2], t.emit.ints({place++}), 0);
  t.node.inputs[2] = t.emit.concat(std::move(scales), 0);
}

// Inputs that are left out had to be empty tensors.
void empty_inputs(Translation& t) {
  if (t.opset < 11) return;
  Value* nothing = t.emit.constant(Data::of<float>(DType::f32, {0}, {}));
  for (std::size_t i : {1U, 2U})
    if (!has_input(t, i)) t.node.inputs[i] = nothing;
}

// Scales alone, and the only way to map positions.
void resize_by_scales(Translation& t) {
  if (!repeats_elements(t)) return resample(t);
  t.node.inputs = {t.node.inputs[0], t.node.inputs[2]};
  t.node.attributes = {{"mode", std::string("nearest")}};
}

void upsample(Translation& t) {
  no_symmetric(t);
  resize_all_axes(t);
  t.since = 11;
  resize_by_scales(t);
  if (t.instead.empty()) t.node.op = "Upsample";
}

// "linear" and "cubic" were named after two axes, the only number there was.
void grid_modes(Translation& t) {
  const std::string mode = text_attribute(t, "mode", "linear");
  const Value* x = t.node.inputs[0];
  if (!x->has_rank() || x->rank() != 4) return sample_grid(t);
  if (mode == "linear") set_attribute(t, "mode", std::string("bilinear"));
  if (mode == "cubic") set_attribute(t, "mode", std::string("bicubic"));
}

constexpr Revision kResize[] = {
    {19, no_symmetric}, {18, resize_all_axes}, {13, empty_inputs}, {11, resize_by_scales}};
constexpr Revision kGridSample[] = {{22, no_bf16}, {20, grid_modes}};

constexpr Revisions kRows[] = {{"Resize", kResize, upsample}, {"GridSample", kGridSample, sample_grid}};

}  // namespace

std::span<const Revisions> resize_revisions() { return kRows; }

}  // namespace cameo::onnx
