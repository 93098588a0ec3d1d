// Quantising, dequantising, and the parameters of quantised tensors.
#include <fmt/core.h>

#include "aten/families.h"
#include "aten/quantization.h"
#include "aten/quantized/calls.h"
#include "aten/quantized/dynamic_range.h"

namespace cameo::aten {
namespace quantizing {
namespace {

using namespace quantized_ops;

// The parameters of one tensor out of those of several: 0-d values.
QuantizerPtr parameters_in(Emit& e, const Expr& scale, const Expr& zero_point, DType integer) {
  return checked({e.cast(e.reshape(scale, {}), DType::f32), e.cast(e.reshape(zero_point, {}), integer), {}},
                 integer);
}

void check_range(const Expr& zero_points, DType integer) {
  const auto [least, most] = range_of(integer);
  if (!zero_points->data) return;
  for (std::int64_t i = 0; i < zero_points->data->numel(); ++i)
    if (const double zero = zero_points->data->real(i); !(zero >= least && zero <= most))
      throw ProgramError(
          fmt::format("the zero point {} is not in the range of {}", zero, name(quantized_type(integer))));
}

Expr numbers_of(const Tensor& self, Emit& e) {
  if (self.quantizer) throw ProgramError("the tensor is quantised already");
  return cast(Expr(e, self), DType::f32);
}

Tensor quantize_per_tensor(Emit& e, Tensor self, double scale, std::int64_t zero_point, DType dtype) {
  const DType integer = integer_type(dtype);
  return quantized(e, numbers_of(self, e), per_tensor(e, scale, zero_point, integer), integer);
}

Tensor quantize_with_tensors(Emit& e, Tensor self, Expr scale, Expr zero_point, DType dtype) {
  const DType integer = integer_type(dtype);
  check_range(zero_point, integer);
  return quantized(e, numbers_of(self, e), parameters_in(e, scale, zero_point, integer), integer);
}

std::vector<Tensor> quantize_all(Emit& e, std::vector<Tensor> tensors, Expr scales, Expr zero_points,
                                 DType dtype) {
  const DType integer = integer_type(dtype);
  check_range(zero_points, integer);
  std::vector<Tensor> results;
  for (std::int64_t i = 0; i < std::ssize(tensors); ++i)
    results.push_back(quantized(
        e, numbers_of(tensors[as_size(i)], e),
        parameters_in(e, slice(scales, 0, i, i + 1), slice(zero_points, 0, i, i + 1), integer), integer));
  return results;
}

QuantizerPtr per_channel(Emit& e, const Tensor& self, const Expr& scales, const Expr& zero_points,
                         std::int64_t axis, DType integer) {
  const bool floating = is_floating(zero_points.dtype());
  if (!floating) check_range(zero_points, integer);
  return checked(
      {e.cast(scales, DType::f32), e.cast(zero_points, floating ? DType::f32 : integer), self.wrap(axis)},
      integer);
}

Tensor quantize_per_channel(Emit& e, Tensor self, Expr scales, Expr zero_points, std::int64_t axis,
                            DType dtype) {
  const DType integer = integer_type(dtype);
  return quantized(e, numbers_of(self, e), per_channel(e, self, scales, zero_points, axis, integer), integer);
}

Tensor quantize_dynamic(Emit& e, Tensor self, DType dtype, bool reduce_range) {
  if (dtype != DType::qu8)
    throw Unsupported(
        fmt::format("quantising to {} with a scale of the elements is not supported", name(dtype)));
  return quantized_dynamically(e, numbers_of(self, e), reduce_range);
}

Tensor make_per_tensor(Emit& e, Tensor self, double scale, std::int64_t zero_point) {
  return {self, per_tensor(e, scale, zero_point, self->dtype())};
}
Tensor make_per_channel(Emit& e, Tensor self, Expr scale, Expr zero_point, std::int64_t axis) {
  return {self, per_channel(e, self, scale, zero_point, axis, self->dtype())};
}

Tensor dequantize(Emit& e, Tensor self) { return cast(dequantized(e, self), DType::f32); }
std::vector<Tensor> dequantize_all(Emit& e, std::vector<Tensor> tensors) {
  for (Tensor& tensor : tensors) tensor = dequantize(e, tensor);
  return tensors;
}
Tensor int_repr(Emit& e, Tensor self) { return integers_of(e, self); }

const Quantizer& parameters(const Tensor& self, bool by_channel) {
  check_quantized(self, "self");
  if (self.quantizer->axis.has_value() != by_channel)
    throw ProgramError(by_channel ? "the tensor has one scale for all its elements"
                                  : "the tensor has one scale per channel");
  return *self.quantizer;
}

Scalar q_scale(Emit& e, Tensor self) {
  onnx::Value* scale = parameters(self, false).scale;
  if (scale->data) return Scalar{scale->data->real(0)};
  return Scalar{e.cast(scale, DType::f64).value};
}
Scalar q_zero_point(Emit& e, Tensor self) { return Scalar{e.number(parameters(self, false).zero_point)}; }
Tensor q_per_channel_scales(Emit& e, Tensor self) { return e.cast(parameters(self, true).scale, DType::f64); }
Tensor q_per_channel_zero_points(Emit& e, Tensor self) {
  onnx::Value* zero_points = parameters(self, true).zero_point;
  return is_floating(zero_points->dtype()) ? Tensor(zero_points) : Tensor(e.cast(zero_points, DType::i64));
}
Scalar q_per_channel_axis(Emit&, Tensor self) { return Scalar{Dim(*parameters(self, true).axis)}; }

// Numbers of c10::QScheme.
Scalar qscheme(Emit&, Tensor self) {
  check_quantized(self, "self");
  if (!self.quantizer->axis) return Scalar{Dim(0)};
  return Scalar{Dim(is_floating(self.quantizer->zero_point->dtype()) ? 4 : 1)};
}

constexpr OnQuantized kOwn = OnQuantized::own;

constexpr Declaration kQuantize[] = {
    op<quantize_per_tensor>(
        "aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor",
        {.doc = "Quantises with one scale.", .quantized = kOwn, .sample = "zero_point=3, dtype=13"}),
    op<quantize_with_tensors>("aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor "
                              "zero_point, ScalarType dtype) -> Tensor",
                              {.doc = "Quantises with one scale, which is a tensor.",
                               .quantized = kOwn,
                               .sample = "scale=f32[], zero_point=i64[], dtype=13"}),
    op<quantize_all>("aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, "
                     "ScalarType dtype) -> Tensor[]",
                     {.doc = "Quantises several tensors, each with one scale.",
                      .quantized = kOwn,
                      .sample = "scales=f32[2], zero_points=i64[2], dtype=13"}),
    op<quantize_per_channel>("aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int "
                             "axis, ScalarType dtype) -> Tensor",
                             {.doc = "Quantises with one scale per channel.",
                              .quantized = kOwn,
                              .sample = "self=f32[batch,6], scales=f32[6], zero_points=i64[6], dtype=12"}),
    op<quantize_dynamic>(
        "aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor",
        {.doc = "Quantises with a scale that depends on the elements.",
         .quantized = kOwn,
         .sample = "dtype=13"}),
    op<make_per_tensor>(
        "aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor",
        {.doc = "Integers as a quantised tensor with one scale.",
         .quantized = kOwn,
         .sample = "self=i8[batch,6], scale=0.5"}),
    op<make_per_channel>("aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor "
                         "zero_point, int axis) -> Tensor",
                         {.doc = "Integers as a quantised tensor with one scale per channel.",
                          .quantized = kOwn,
                          .sample = "self=i8[batch,6], scale=f32[6], zero_point=i64[6]"}),
    op<dequantize>(
        "aten::dequantize.self(Tensor self) -> Tensor",
        {.doc = "The numbers of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<dequantize_all>("aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]",
                       {.doc = "The numbers of several quantised tensors.",
                        .quantized = kOwn,
                        .sample = "tensors=[qu8[batch,6], qu8[batch,6]]"}),
    op<int_repr>(
        "aten::int_repr(Tensor self) -> Tensor",
        {.doc = "The integers of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<q_scale>(
        "aten::q_scale(Tensor self) -> float",
        {.doc = "The scale of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<q_zero_point>(
        "aten::q_zero_point(Tensor self) -> int",
        {.doc = "The zero point of a quantised tensor.", .quantized = kOwn, .sample = "self=qu8[batch,6]"}),
    op<q_per_channel_scales>("aten::q_per_channel_scales(Tensor self) -> Tensor",
                             {.doc = "The scales of the channels of a quantised tensor.",
                              .quantized = kOwn,
                              .sample = "self=qi8[6,width]"}),
    op<q_per_channel_zero_points>("aten::q_per_channel_zero_points(Tensor self) -> Tensor",
                                  {.doc = "The zero points of the channels of a quantised tensor.",
                                   .quantized = kOwn,
                                   .sample = "self=qi8[6,width]"}),
    op<q_per_channel_axis>("aten::q_per_channel_axis(Tensor self) -> int",
                           {.doc = "The axis of the channels of a quantised tensor.",
                            .quantized = kOwn,
                            .sample = "self=qi8[6,width]"}),
    op<qscheme>("aten::qscheme(Tensor self) -> QScheme",
                {.doc = "The number of the scheme of a quantised tensor.",
                 .quantized = kOwn,
                 .sample = "self=qu8[batch,6]"}),
};

}  // namespace
}  // namespace quantizing

std::span<const Declaration> tensor_quantize_ops() { return quantizing::kQuantize; }

}  // namespace cameo::aten
