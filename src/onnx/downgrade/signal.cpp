// Fourier transforms.

#include <numbers>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

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

Value* range(Emit& e, const Dim& count) { return e.op("Range", {e.dim(0), e.dim(count), e.dim(1)}); }

// 2 pi j k / size, for all indices j of the signal and k of the spectrum.
Value* angles(Emit& e, const Dim& size, const Dim& bins) {
  Value* products = e.op("Mul", {e.unsqueeze(range(e, size), {1}), range(e, bins)});
  Value* turns = e.cast(e.op("Mod", {products, e.dim(size)}), DType::f64);
  Value* angle = e.op("Mul", {turns, e.scalar(DType::f64, 2 * std::numbers::pi)});
  return e.op("Div", {angle, e.cast(e.dim(size), DType::f64)});
}

// The product of a matrix with the vectors along an axis.
Value* product(Emit& e, Value* x, Value* matrix, std::int64_t axis) {
  std::vector<std::int64_t> perm = consecutive(0, x->rank());
  std::swap(element_at(perm, axis), perm.back());
  return e.transpose(e.op("MatMul", {e.transpose(x, perm), matrix}), perm);
}

// Products with a matrix of cosines and one of sines.
void by_matrices(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  if (!x->has_rank() || !known(x->type.shape->back())) needs(t, "the number of axes is not known");
  if (has_input(t, 1)) needs(t, "it has a length of its own");
  if (integer_attribute(t, "inverse", 0) != 0) needs(t, "it is an inverse transform");
  if (has_input(t, 2) && !t.node.inputs[2]->constant()) needs(t, "its axis is not a constant");
  const std::int64_t axis = has_input(t, 2) ? t.node.inputs[2]->data->integer(0) : x->rank() - 2;
  const Dim size = (*x->type.shape)[axis];
  const bool onesided = integer_attribute(t, "onesided", 0) != 0;
  const Dim bins = onesided ? sym::floordiv(size, 2) + 1 : size;
  Value* angle = angles(e, size, bins);
  Value* cosines = e.cast(e.op("Cos", {angle}), x->dtype());
  Value* sines = e.cast(e.op("Sin", {angle}), x->dtype());
  const auto part = [&](std::int64_t index) { return e.gather(x, e.scalar(DType::i64, index), -1); };
  const std::int64_t wrapped = from_front(axis, x->rank());
  Value* real = product(e, part(0), cosines, wrapped);
  Value* imaginary = e.op("Neg", {product(e, part(0), sines, wrapped)});
  if (known(x->type.shape->back()) == 2) {
    real = e.op("Add", {real, product(e, part(1), sines, wrapped)});
    imaginary = e.op("Add", {imaginary, product(e, part(1), cosines, wrapped)});
  }
  t.instead = {e.concat({e.unsqueeze(real, {-1}), e.unsqueeze(imaginary, {-1})}, -1)};
}

constexpr Revision kDft[] = {{20, axis_to_attribute}};

constexpr Revisions kSignal[] = {{"DFT", kDft, by_matrices}};

}  // namespace

std::span<const Revisions> signal_revisions() { return kSignal; }

}  // namespace cameo::onnx
