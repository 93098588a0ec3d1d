#include "aten/arg.h"

#include <fmt/core.h>

#include "aten/formula.h"
#include "aten/quantization.h"

namespace cameo::aten {

namespace {

std::int64_t wrapped(std::int64_t axis, std::int64_t rank) {
  const std::int64_t count = std::max<std::int64_t>(rank, 1);
  if (axis < -count || axis >= count)
    throw ProgramError(fmt::format("dimension {} is out of range for a tensor of {} dimensions", axis, rank));
  return axis < 0 ? axis + count : axis;
}

Dim dim_of(const Shape& shape, std::int64_t axis) {
  const std::int64_t index = wrapped(axis, shape.rank());
  if (shape.empty()) throw ProgramError(fmt::format("dimension {} of a tensor that has none", axis));
  return shape[index];
}

}  // namespace

const Shape& ValueRef::shape() const {
  if (!value->type.shape) throw Unsupported("the number of dimensions of a tensor must be known here");
  return *value->type.shape;
}

std::int64_t ValueRef::wrap(std::int64_t axis) const { return wrapped(axis, rank()); }
Dim ValueRef::dim(std::int64_t axis) const { return dim_of(shape(), axis); }

Tensor::Tensor(const Expr& expr) : value(expr.value) {}

Tensor Tensor::pairs(onnx::Value* parts) {
  Tensor tensor(parts);
  tensor.complex = true;
  return tensor;
}

Tensor::operator onnx::Value*() const {
  if (complex) throw Unsupported("complex numbers are not supported here");
  if (quantizer) throw Unsupported("quantised tensors are not supported here", kDequantizeHint);
  return value;
}

DType Tensor::dtype() const {
  if (complex) return complex_type(value->dtype());
  return quantizer ? quantized_type(value->dtype()) : value->dtype();
}

Shape Tensor::shape() const {
  const Shape& all = ValueRef{value}.shape();
  return complex ? all.first(all.rank() - 1) : all;
}

std::int64_t Tensor::wrap(std::int64_t axis) const { return wrapped(axis, rank()); }
Dim Tensor::dim(std::int64_t axis) const { return dim_of(shape(), axis); }

bool Scalar::is_bool() const {
  if (const auto* v = std::get_if<onnx::Value*>(&value)) return (*v)->type.dtype == DType::boolean;
  return std::holds_alternative<bool>(value);
}

bool Scalar::is_int() const {
  if (const auto* v = std::get_if<onnx::Value*>(&value)) return is_integral((*v)->type.dtype);
  return std::holds_alternative<Dim>(value);
}

bool Scalar::is_float() const {
  if (const auto* v = std::get_if<onnx::Value*>(&value)) return is_floating((*v)->type.dtype);
  return std::holds_alternative<double>(value);
}

std::optional<double> Scalar::known() const {
  if (const double* d = std::get_if<double>(&value)) return *d;
  if (std::optional<std::int64_t> i = known_int()) return static_cast<double>(*i);
  return std::nullopt;
}

std::optional<std::int64_t> Scalar::known_int() const {
  if (const bool* b = std::get_if<bool>(&value)) return *b;
  if (const Dim* d = std::get_if<Dim>(&value)) return d->as_constant();
  return std::nullopt;
}

}  // namespace cameo::aten
