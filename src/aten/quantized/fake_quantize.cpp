// Fake quantisation of quantisation-aware training.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/quantized/fake_grid.h"

namespace cameo::aten {
namespace {

Grid fake_by_numbers(Emit& e, const Scalar& scale, std::int64_t zero_point, std::int64_t least,
                     std::int64_t most) {
  return {.scale = as(e, scale, DType::f32),
          .zero_point = e.scalar(DType::i64, zero_point),
          .axis = {},
          .least = least,
          .most = most};
}

// Learnable zero points are floats. They are rounded and limited first.
Expr rounded_zero_point(const Expr& zero_point, std::int64_t least, std::int64_t most) {
  const Expr limited = clip(round(zero_point), static_cast<double>(least), static_cast<double>(most));
  return cast(limited, DType::i32);
}

Expr fake_per_tensor(Emit& e, Expr self, Scalar scale, std::int64_t zero_point, std::int64_t quant_min,
                     std::int64_t quant_max) {
  return fake_quantized(e, self, fake_by_numbers(e, scale, zero_point, quant_min, quant_max));
}
std::vector<Expr> fake_per_tensor_mask(Emit& e, Expr self, Scalar scale, std::int64_t zero_point,
                                       std::int64_t quant_min, std::int64_t quant_max) {
  const Grid grid = fake_by_numbers(e, scale, zero_point, quant_min, quant_max);
  return {fake_quantized(e, self, grid), within_grid(e, self, grid)};
}

// PyTorch takes the zero point of a tensor as an integer.
Grid fake_by_tensors(const Expr& scale, const Expr& zero_point, std::int64_t least, std::int64_t most) {
  return {
      .scale = scale, .zero_point = cast(zero_point, DType::i32), .axis = {}, .least = least, .most = most};
}
Expr fake_per_tensor_tensors(Emit& e, Expr self, Expr scale, Expr zero_point, std::int64_t quant_min,
                             std::int64_t quant_max) {
  return fake_quantized(e, self, fake_by_tensors(scale, zero_point, quant_min, quant_max));
}
std::vector<Expr> fake_per_tensor_switched(Emit& e, Expr self, Expr scale, Expr zero_point,
                                           Expr fake_quant_enabled, std::int64_t quant_min,
                                           std::int64_t quant_max) {
  const Grid grid = fake_by_tensors(scale, zero_point, quant_min, quant_max);
  const Expr on = cast(as_number(fake_quant_enabled), DType::boolean);
  if (const auto known = known_number(on)) {
    if (*known == 0) return {self, filled_like(e.scalar(DType::boolean, std::int64_t{1}), self)};
    return {fake_quantized(e, self, grid), within_grid(e, self, grid)};
  }
  const Expr rounded = fake_quantized(e, self, grid);
  return {where(on, rounded, self), !on || within_grid(e, self, grid)};
}

Expr fake_per_channel(Emit& e, Expr self, Expr scale, Expr zero_point, std::int64_t axis,
                      std::int64_t quant_min, std::int64_t quant_max) {
  return fake_quantized(e, self, {scale, zero_point, axis, quant_min, quant_max});
}
std::vector<Expr> fake_per_channel_mask(Emit& e, Expr self, Expr scale, Expr zero_point, std::int64_t axis,
                                        std::int64_t quant_min, std::int64_t quant_max) {
  const Grid grid{scale, zero_point, axis, quant_min, quant_max};
  return {fake_quantized(e, self, grid), within_grid(e, self, grid)};
}

Expr fake_learnable_per_tensor(Emit& e, Expr self, Expr scale, Expr zero_point, std::int64_t quant_min,
                               std::int64_t quant_max, Ignored) {
  return fake_quantized(
      e, self,
      {scale, rounded_zero_point(zero_point, quant_min, quant_max), std::nullopt, quant_min, quant_max});
}
Expr fake_learnable_per_channel(Emit& e, Expr self, Expr scale, Expr zero_point, std::int64_t axis,
                                std::int64_t quant_min, std::int64_t quant_max, Ignored) {
  return fake_quantized(
      e, self, {scale, rounded_zero_point(zero_point, quant_min, quant_max), axis, quant_min, quant_max});
}

constexpr std::string_view kFakeSample = "scale=0.1, zero_point=3, quant_min=-128, quant_max=127";

constexpr Declaration kFakeQuantize[] = {
    op<fake_per_tensor>(
        "aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, "
        "int quant_max) -> Tensor",
        {.doc = "Rounds to the values of quantised numbers.", .sample = kFakeSample}),
    op<fake_per_tensor_mask>(
        "aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, "
        "int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
        {.doc = "Rounds to the values of quantised numbers; the mask is false where a limit applies.",
         .sample = kFakeSample}),
    op<fake_per_tensor_tensors>("aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor "
                                "scale, Tensor zero_point, int "
                                "quant_min, int quant_max) -> Tensor",
                                {.doc = "Rounds to the values of quantised numbers.",
                                 .sample = "scale=f32[1], zero_point=i32[1], quant_min=-128, quant_max=127"}),
    op<fake_per_tensor_switched>(
        "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor "
        "zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor "
        "mask)",
        {.doc = "Rounds to the values of quantised numbers, where it is enabled.",
         .sample =
             "scale=f32[1], zero_point=i32[1], fake_quant_enabled=u8[1], quant_min=-128, quant_max=127"}),
    op<fake_per_channel>(
        "aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int "
        "quant_min, int quant_max) -> Tensor",
        {.doc = "Rounds to the values of quantised numbers, with a scale per channel.",
         .sample = "self=f32[6,4], scale=f32[6], zero_point=i32[6], axis=0, quant_min=-128, quant_max=127"}),
    op<fake_per_channel_mask>(
        "aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int "
        "axis, "
        "int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
        {.doc =
             "Rounds to the values of quantised numbers, with a scale per channel; the mask is false where a "
             "limit applies.",
         .sample = "self=f32[6,4], scale=f32[6], zero_point=i32[6], axis=0, quant_min=-128, quant_max=127"}),
    op<fake_learnable_per_tensor>(
        "aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, Tensor zero_point, int "
        "quant_min, int quant_max, float grad_factor=1.0) -> Tensor",
        {.doc = "Rounds to the values of quantised numbers, with a learned zero point.",
         .sample = "scale=f32[1], zero_point=f32[1], quant_min=-128, quant_max=127"}),
    op<fake_learnable_per_channel>(
        "aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int "
        "axis, "
        "int quant_min, int quant_max, float grad_factor=1.0) -> Tensor",
        {.doc = "Rounds to the values of quantised numbers, with learned zero points.",
         .sample = "self=f32[6,4], scale=f32[6], zero_point=f32[6], axis=0, quant_min=-128, quant_max=127"}),
};

}  // namespace

std::span<const Declaration> fake_quantize_ops() { return kFakeQuantize; }

}  // namespace cameo::aten
