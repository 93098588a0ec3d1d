#include <algorithm>

#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

Value* reals(Raising& r, const std::vector<float>& values) {
  return r.maker.constant(Data::of<float>(DType::f32, {std::ssize(values)}, values));
}

void image_scales(Raising& r) {
  const auto height = r.take<float>("height_scale"), width = r.take<float>("width_scale");
  if (!height || !width) return r.give_up();
  r.set("scales", std::vector<float>{1, 1, *height, *width});
}

void scales_to_input(Raising& r) {
  const auto scales = r.take<std::vector<float>>("scales");
  if (!scales) return r.give_up();
  r.set_input(1, reals(r, *scales));
}

// Positions were divided by the scale; the nearest element was the one before where a size grew, as it always
// did in Upsample, and the one behind where it shrank.
void coordinates(Raising& r) {
  if (!r.has(1)) return r.give_up();
  const bool up = r.node.op == "Upsample";
  r.node.op = "Resize";
  Value* scales = r.node.inputs[1];
  const std::string mode = r.take<std::string>("mode").value_or("nearest");
  r.node.inputs = {r.node.inputs[0], nullptr, scales};
  r.set("mode", mode == "bilinear" ? "linear" : mode);
  r.set("coordinate_transformation_mode", std::string("asymmetric"));
  if (mode != "nearest") return;
  const bool known = scales->constant() && scales->data->dtype() == DType::f32;
  bool grows = known || up, shrinks = known;
  for (std::int64_t i = 0; known && i < scales->data->numel(); ++i) {
    const double scale = scales->data->real(i);
    grows = grows && scale >= 1;
    shrinks = shrinks && scale <= 1;
  }
  r.set("nearest_mode", std::string(shrinks && !grows ? "ceil" : "floor"));
  if (!grows && !shrinks) r.only_types();
}

bool empty(const Value* value) {
  if (!value) return true;
  const auto& shape = value->type.shape;
  return shape && shape->size() == 1 && known(shape->front()) == 0;
}

// Inputs that are left out may also be empty tensors.
void no_empty_inputs(Raising& r) {
  for (std::size_t i = 1; i < r.node.inputs.size(); ++i)
    if (empty(r.node.inputs[i])) r.node.inputs[i] = nullptr;
  if (!r.has(2) && !r.has(3)) r.give_up();
}

constexpr Upgrade kResize[] = {
    {"Resize", 11, coordinates},      {"Resize", kAlways, no_empty_inputs}, {"Upsample", 7, image_scales},
    {"Upsample", 9, scales_to_input}, {"Upsample", 10, coordinates},
};

}  // namespace

std::span<const Upgrade> resize_upgrades() { return kResize; }

}  // namespace cameo::onnx
