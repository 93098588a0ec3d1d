#include "onnx/downgrade/resample.h"

#include <cmath>

#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// One axis on its way to another size.
struct Axis {
  std::int64_t number = 0;
  Dim from, to;
  Value* ratio = nullptr;  // of the old size to the new one, f32
};

Value* real(Emit& e, const Dim& number) { return e.cast(e.dim(number), DType::f32); }
Value* real(Emit& e, double number) { return e.scalar(DType::f32, number); }

// Where each new element lies among the old ones.
Value* positions(Translation& t, const Axis& axis) {
  Emit& e = t.emit;
  const std::string mode = text_attribute(t, "coordinate_transformation_mode", "half_pixel");
  Value* index = e.cast(e.op("Range", {e.dim(0), e.dim(axis.to), e.dim(1)}), DType::f32);
  if (mode == "asymmetric") return e.op("Mul", {index, axis.ratio});
  if (mode == "align_corners") {
    Value* steps = real(e, e.simplify(sym::max(axis.to - 1, 1)));
    return e.op("Mul", {index, e.op("Div", {real(e, axis.from - 1), steps})});
  }
  if (mode != "half_pixel") needs(t, "no older operator maps positions as it does");
  Value* centre = e.op("Add", {index, real(e, 0.5)});
  return e.op("Sub", {e.op("Mul", {centre, axis.ratio}), real(e, 0.5)});
}

Value* place(Emit& e, Value* position, const Axis& axis) {
  Value* inside = e.op("Min", {e.op("Max", {position, real(e, 0.0)}), real(e, axis.from - 1)});
  return e.cast(inside, DType::i64);
}

Value* nearest(Translation& t, Value* x, const Axis& axis) {
  Emit& e = t.emit;
  Value* position = positions(t, axis);
  const std::string mode = text_attribute(t, "nearest_mode", "round_prefer_floor");
  if (mode == "round_prefer_ceil")
    position = e.op("Add", {position, real(e, 0.5)});
  else if (mode != "floor")
    needs(t, "no older operator rounds positions as it does");
  return e.gather(x, place(e, e.op("Floor", {position}), axis), axis.number);
}

Value* linear(Translation& t, Value* x, const Axis& axis) {
  Emit& e = t.emit;
  Value* position = e.op("Max", {positions(t, axis), real(e, 0.0)});
  Value* first = e.op("Min", {e.op("Floor", {position}), real(e, axis.from - 1)});
  Value* weight = e.cast(e.op("Sub", {position, first}), x->dtype());
  std::vector<std::int64_t> inner;
  for (std::int64_t i = 1; i < x->rank() - axis.number; ++i) inner.push_back(i);
  weight = e.unsqueeze(weight, inner);
  Value* rest = e.op("Sub", {e.scalar(x->dtype(), 1.0), weight});
  Value* left = e.gather(x, place(e, first, axis), axis.number);
  Value* right = e.gather(x, place(e, e.op("Add", {first, real(e, 1.0)}), axis), axis.number);
  return e.op("Add", {e.op("Mul", {left, rest}), e.op("Mul", {right, weight})});
}

Dim new_size(Translation& t, std::int64_t axis, Value* scale) {
  Emit& e = t.emit;
  const Dim size = (*t.results[0].type.shape)[axis];
  if (e.visible(size)) return size;
  Value* scaled = e.op("Floor", {e.op("Mul", {real(e, shape_of(t, 0)[axis]), scale})});
  return e.number(e.cast(scaled, DType::i64));
}

}  // namespace

void resample(Translation& t) {
  Emit& e = t.emit;
  const Shape shape = shape_of(t, 0);
  const std::string mode = text_attribute(t, "mode", "nearest");
  if (mode == "cubic") needs(t, "no older operator interpolates cubically");
  if (has_input(t, 1)) needs(t, "it takes a region");
  Value* x = t.node.inputs[0];
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    Axis axis{.number = i, .from = shape[i], .to = {}, .ratio = nullptr};
    if (has_input(t, 3)) {
      axis.to = (*t.results[0].type.shape)[i];
      if (e.sym().equal(axis.from, axis.to) == sym::Truth::yes) continue;
      axis.ratio = e.op("Div", {real(e, axis.from), real(e, axis.to)});
    } else {
      Value* scale = e.gather(t.node.inputs[2], e.dim(axis.number), 0);
      if (scale->constant() && scale->data->real(0) == 1) continue;
      axis.to = new_size(t, i, scale);
      axis.ratio = e.op("Div", {real(e, 1.0), scale});
    }
    x = mode == "linear" ? linear(t, x, axis) : nearest(t, x, axis);
  }
  t.instead = {x};
}

bool repeats_elements(const Translation& t) {
  if (text_attribute(t, "mode", "nearest") != "nearest" || !has_input(t, 2) || has_input(t, 1)) return false;
  if (text_attribute(t, "coordinate_transformation_mode", "half_pixel") != "asymmetric") return false;
  if (text_attribute(t, "nearest_mode", "round_prefer_floor") != "floor") return false;
  const Value* scales = t.node.inputs[2];
  if (!scales->constant()) return false;
  for (std::int64_t i = 0; i < scales->data->numel(); ++i)
    if (const double scale = scales->data->real(i); scale < 1 || scale != std::floor(scale)) return false;
  return true;
}

}  // namespace cameo::onnx
