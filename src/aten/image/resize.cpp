// Resampling to other sizes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "aten/families.h"
#include "aten/image/antialias.h"
#include "aten/image/pooling.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;
using Factors = std::vector<std::optional<double>>;  // of each resized dimension; absent: ratio of the sizes

enum class Mode { nearest, nearest_exact, linear, cubic };

struct Sampling {
  Mode mode = Mode::nearest;
  bool align_corners = false;
  bool antialias = false;
};

onnx::Attributes attributes_of(const Sampling& sampling) {
  onnx::Attributes attributes;
  switch (sampling.mode) {
    case Mode::nearest:
      attributes = {{"coordinate_transformation_mode", "asymmetric"}, {"nearest_mode", "floor"}};
      break;
    case Mode::nearest_exact: attributes = {{"nearest_mode", "round_prefer_ceil"}}; break;
    case Mode::linear: attributes = {{"mode", "linear"}}; break;
    case Mode::cubic: attributes = {{"mode", "cubic"}, {"cubic_coeff_a", -0.75f}}; break;
  }
  if (sampling.align_corners) attributes.push_back({"coordinate_transformation_mode", "align_corners"});
  return attributes;
}

// floor(size * factor), as a formula where there is one.
std::optional<Dim> scaled_size(const Dim& size, double factor) {
  if (const auto known = size.as_constant())
    return static_cast<std::int64_t>(std::floor(static_cast<double>(*known) * factor));
  for (std::int64_t divisor : {1, 2, 4, 8, 16, 32, 64})
    if (const double whole = factor * static_cast<double>(divisor); whole == std::floor(whole) && whole < 1e9)
      return sym::floordiv(size * static_cast<std::int64_t>(whole), divisor);
  return std::nullopt;
}

// The factors where they say what the sizes do; nothing if the sizes must be given.
std::optional<std::vector<float>> whole_scales(Emit& e, const Expr& self, const Shape& sizes,
                                               const Factors& factors) {
  std::vector<float> scales{1, 1};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Dim from = self.shape()[i + 2];
    if (factors[i]) {
      const std::optional<Dim> expected = scaled_size(from, *factors[i]);
      if (expected && e.sym().equal(*expected, sizes[i]) == sym::Truth::no)
        throw Unsupported("the output size differs from the one that the scale factor gives");
      scales.push_back(static_cast<float>(*factors[i]));
    } else {
      const std::optional<Dim> ratio = e.sym().divide_exactly(sizes[i], from);
      const auto known = ratio ? e.simplify(*ratio).as_constant() : std::nullopt;
      if (!known) return std::nullopt;
      scales.push_back(static_cast<float>(*known));
    }
  }
  return scales;
}

void check_input(const Expr& self, std::int64_t axes, const Sampling& sampling) {
  if (self.rank() != axes + 2)
    throw ProgramError(fmt::format("resizing {} dimensions of a tensor of {} dimensions", axes, self.rank()));
  const bool nearest = sampling.mode == Mode::nearest || sampling.mode == Mode::nearest_exact;
  if (!is_floating(self.dtype()) && !(nearest && self.dtype() == DType::u8))
    throw Unsupported(fmt::format("a resize of {} is not supported", name(self.dtype())),
                      "convert to a floating-point type first");
}

Expr resize(Emit& e, Expr x, Expr scales, Expr sizes, const Sampling& sampling) {
  return e.op("Resize", {x, nullptr, scales, sizes}, attributes_of(sampling));
}

Expr scale_constant(Emit& e, const std::vector<float>& scales) {
  return e.constant(onnx::Data::of<float>(DType::f32, {std::ssize(scales)}, std::span<const float>(scales)));
}

Expr smoothly(const Expr& self, const Shape& sizes, const Factors& factors, const Sampling& sampling) {
  if (sizes.rank() != 2) throw ProgramError("only two dimensions can be resized with antialias=True");
  return resize_smoothly(self, sizes, factors,
                         {.cubic = sampling.mode == Mode::cubic, .align_corners = sampling.align_corners});
}

Expr to_size(Emit& e, const Expr& self, const Shape& sizes, const Factors& factors,
             const Sampling& sampling) {
  check_input(self, sizes.rank(), sampling);
  if (sampling.antialias) return smoothly(self, sizes, factors, sampling);
  if (const auto scales = whole_scales(e, self, sizes, factors)) {
    if (std::ranges::all_of(*scales, [](float s) { return s == 1; })) return self;
    return resize(e, self, scale_constant(e, *scales), nullptr, sampling);
  }
  const bool partly =
      std::ranges::any_of(factors, [](const std::optional<double>& f) { return f.has_value(); });
  if (partly) throw Unsupported("a scale factor for only some dimensions is not supported");
  Shape all(self.shape().begin(), self.shape().begin() + 2);
  all.insert(all.end(), sizes.begin(), sizes.end());
  return resize(e, self, nullptr, e.dims(all), sampling);
}

Expr by_factors(Emit& e, const Expr& self, const std::vector<double>& factors, const Sampling& sampling) {
  check_input(self, std::ssize(factors), sampling);
  if (sampling.antialias) {
    Shape sizes;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const std::optional<Dim> size = scaled_size(self.shape()[i + 2], factors[i]);
      if (!size) throw Unsupported("the size that a scale factor gives is not known at export time");
      sizes.push_back(*size);
    }
    return smoothly(self, sizes, {factors.begin(), factors.end()}, sampling);
  }
  std::vector<float> scales{1, 1};
  for (double factor : factors) scales.push_back(static_cast<float>(factor));
  if (std::ranges::all_of(scales, [](float s) { return s == 1; })) return self;
  return resize(e, self, scale_constant(e, scales), nullptr, sampling);
}

// The form with lists: either of them may be absent.
Expr by_either(Emit& e, const Expr& self, std::int64_t axes, const std::optional<Shape>& output_size,
               const std::optional<std::vector<double>>& factors, const Sampling& sampling) {
  if (output_size.has_value() == factors.has_value())
    throw ProgramError("exactly one of 'output_size' and 'scale_factors' must be given");
  if ((output_size ? std::ssize(*output_size) : std::ssize(*factors)) != axes)
    throw ProgramError(fmt::format("resizing {} dimensions needs {} numbers", axes, axes));
  return output_size ? to_size(e, self, *output_size, Factors(as_size(axes)), sampling)
                     : by_factors(e, self, *factors, sampling);
}

template <Mode kMode, std::int64_t kAxes>
Expr upsample_vec(Emit& e, Expr input, std::optional<Shape> output_size,
                  std::optional<std::vector<double>> scale_factors) {
  return by_either(e, input, kAxes, output_size, scale_factors, {.mode = kMode});
}
template <Mode kMode, std::int64_t kAxes, bool kAntialias = false>
Expr upsample_aligned_vec(Emit& e, Expr input, std::optional<Shape> output_size, bool align_corners,
                          std::optional<std::vector<double>> scale_factors) {
  return by_either(e, input, kAxes, output_size, scale_factors, {kMode, align_corners, kAntialias});
}

using Factor = std::optional<double>;
template <Mode kMode>
Expr upsample_1d(Emit& e, Expr self, Shape output_size, Factor scales) {
  return to_size(e, self, output_size, {scales}, {.mode = kMode});
}
template <Mode kMode>
Expr upsample_2d(Emit& e, Expr self, Shape output_size, Factor scales_h, Factor scales_w) {
  return to_size(e, self, output_size, {scales_h, scales_w}, {.mode = kMode});
}
template <Mode kMode>
Expr upsample_3d(Emit& e, Expr self, Shape output_size, Factor scales_d, Factor scales_h, Factor scales_w) {
  return to_size(e, self, output_size, {scales_d, scales_h, scales_w}, {.mode = kMode});
}
Expr upsample_linear1d(Emit& e, Expr self, Shape output_size, bool align_corners, Factor scales) {
  return to_size(e, self, output_size, {scales}, {Mode::linear, align_corners});
}
template <Mode kMode, bool kAntialias = false>
Expr upsample_aligned_2d(Emit& e, Expr self, Shape output_size, bool align_corners, Factor scales_h,
                         Factor scales_w) {
  return to_size(e, self, output_size, {scales_h, scales_w}, {kMode, align_corners, kAntialias});
}
Expr upsample_trilinear3d(Emit& e, Expr self, Shape output_size, bool align_corners, Factor scales_d,
                          Factor scales_h, Factor scales_w) {
  return to_size(e, self, output_size, {scales_d, scales_h, scales_w}, {Mode::linear, align_corners});
}

Expr interpolated(Emit& e, const Expr& input, const std::optional<Shape>& size,
                  std::optional<std::vector<double>> factors, const std::string& mode, bool align_corners,
                  bool recompute, bool antialias) {
  const std::int64_t axes = std::max<std::int64_t>(input.rank() - 2, 0);
  std::optional<Shape> target = size;
  if (factors && factors->size() == 1) factors->resize(as_size(axes), factors->front());
  if (target && target->size() == 1) target = Shape::filled(axes, target->front());
  if (factors && (recompute || mode == "area")) {
    target = Shape{};
    const Shape sizes = input.shape().last(axes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::optional<Dim> scaled = scaled_size(sizes[i], factors->at(i));
      if (!scaled) throw Unsupported("the size that a scale factor gives is not known at export time");
      target->push_back(*scaled);
    }
    factors.reset();
  }
  if (mode == "area") {
    if (!target) throw ProgramError("one of 'size' and 'scale_factor' must be given");
    return adaptive_avg_pool(e, input, axes, *target);
  }
  Sampling sampling{.align_corners = align_corners, .antialias = antialias};
  if (mode == "nearest-exact")
    sampling.mode = Mode::nearest_exact;
  else if (mode == "linear" || mode == "bilinear" || mode == "trilinear")
    sampling.mode = Mode::linear;
  else if (mode == "bicubic")
    sampling.mode = Mode::cubic;
  else if (mode != "nearest")
    throw ProgramError(fmt::format("unknown interpolation mode '{}'", mode));
  return by_either(e, input, axes, target, factors, sampling);
}

std::optional<Shape> as_list(const std::optional<Dim>& one) {
  return one ? std::optional(Shape{*one}) : std::nullopt;
}
std::optional<Shape> as_list(std::optional<Shape> list) { return list; }
std::optional<std::vector<double>> as_list(const std::optional<double>& one) {
  return one ? std::optional(std::vector{*one}) : std::nullopt;
}
std::optional<std::vector<double>> as_list(std::optional<std::vector<double>> list) { return list; }

template <class Size, class Scale>
Expr interpolate(Emit& e, Expr input, std::optional<Size> size, std::optional<Scale> scale_factor,
                 std::string mode, std::optional<bool> align_corners, std::optional<bool> recompute,
                 bool antialias) {
  return interpolated(e, input, as_list(size), as_list(scale_factor), mode, align_corners.value_or(false),
                      recompute.value_or(false), antialias);
}

constexpr Declaration kResize[] = {
    op<upsample_vec<Mode::nearest, 1>>(
        "aten::upsample_nearest1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor",
        {.doc = "Resizes one dimension, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "input=f32[batch,6,width], output_size=[25]"}),
    op<upsample_1d<Mode::nearest>>(
        "aten::upsample_nearest1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
        {.doc = "Resizes one dimension, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,width], output_size=[25]"}),
    op<upsample_vec<Mode::nearest, 2>>(
        "aten::upsample_nearest2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor",
        {.doc = "Resizes two dimensions, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_2d<Mode::nearest>>(
        "aten::upsample_nearest2d(Tensor self, int[2] output_size, float? scales_h=None, float? "
        "scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_vec<Mode::nearest, 3>>(
        "aten::upsample_nearest3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> Tensor",
        {.doc = "Resizes three dimensions, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "input=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_3d<Mode::nearest>>(
        "aten::upsample_nearest3d(Tensor self, int[3] output_size, float? scales_d=None, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes three dimensions, taking the element at or before each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_vec<Mode::nearest_exact, 1>>(
        "aten::_upsample_nearest_exact1d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> "
        "Tensor",
        {.doc = "Resizes one dimension, taking the element nearest to each position.",
         .sample = "input=f32[batch,6,width], output_size=[25]"}),
    op<upsample_1d<Mode::nearest_exact>>(
        "aten::_upsample_nearest_exact1d(Tensor self, int[1] output_size, float? scales=None) -> Tensor",
        {.doc = "Resizes one dimension, taking the element nearest to each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,width], output_size=[25]"}),
    op<upsample_vec<Mode::nearest_exact, 2>>(
        "aten::_upsample_nearest_exact2d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> "
        "Tensor",
        {.doc = "Resizes two dimensions, taking the element nearest to each position.",
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_2d<Mode::nearest_exact>>(
        "aten::_upsample_nearest_exact2d(Tensor self, int[2] output_size, float? scales_h=None, float? "
        "scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions, taking the element nearest to each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_vec<Mode::nearest_exact, 3>>(
        "aten::_upsample_nearest_exact3d.vec(Tensor input, int[]? output_size, float[]? scale_factors) -> "
        "Tensor",
        {.doc = "Resizes three dimensions, taking the element nearest to each position.",
         .sample = "input=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_3d<Mode::nearest_exact>>(
        "aten::_upsample_nearest_exact3d(Tensor self, int[3] output_size, float? scales_d=None, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes three dimensions, taking the element nearest to each position.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_aligned_vec<Mode::linear, 1>>(
        "aten::upsample_linear1d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes one dimension linearly.", .sample = "input=f32[batch,6,width], output_size=[25]"}),
    op<upsample_linear1d>(
        "aten::upsample_linear1d(Tensor self, int[1] output_size, bool align_corners, float? scales=None) -> "
        "Tensor",
        {.doc = "Resizes one dimension linearly.", .sample = "self=f32[batch,6,width], output_size=[25]"}),
    op<upsample_aligned_vec<Mode::linear, 2>>(
        "aten::upsample_bilinear2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes two dimensions linearly.",
         .quantized = OnQuantized::requantized,
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_2d<Mode::linear>>(
        "aten::upsample_bilinear2d(Tensor self, int[2] output_size, bool align_corners, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions linearly.",
         .quantized = OnQuantized::requantized,
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_vec<Mode::cubic, 2>>(
        "aten::upsample_bicubic2d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes two dimensions by cubic interpolation.",
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_2d<Mode::cubic>>(
        "aten::upsample_bicubic2d(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, "
        "float? scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions by cubic interpolation.",
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_vec<Mode::linear, 3>>(
        "aten::upsample_trilinear3d.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes three dimensions linearly.",
         .sample = "input=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_trilinear3d>(
        "aten::upsample_trilinear3d(Tensor self, int[3] output_size, bool align_corners, float? "
        "scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes three dimensions linearly.",
         .sample = "self=f32[batch,6,depth,height,width], output_size=[10, 15, 25]"}),
    op<upsample_aligned_vec<Mode::linear, 2, true>>(
        "aten::_upsample_bilinear2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes two dimensions linearly, smoothing what shrinks.",
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_2d<Mode::linear, true>>(
        "aten::_upsample_bilinear2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions linearly, smoothing what shrinks.",
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_vec<Mode::cubic, 2, true>>(
        "aten::_upsample_bicubic2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? "
        "scale_factors) -> Tensor",
        {.doc = "Resizes two dimensions by cubic interpolation, smoothing what shrinks.",
         .sample = "input=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<upsample_aligned_2d<Mode::cubic, true>>(
        "aten::_upsample_bicubic2d_aa(Tensor self, int[2] output_size, bool align_corners, float? "
        "scales_h=None, float? scales_w=None) -> Tensor",
        {.doc = "Resizes two dimensions by cubic interpolation, smoothing what shrinks.",
         .sample = "self=f32[batch,6,height,width], output_size=[15, 25]"}),
    op<interpolate<Dim, double>>(
        "aten::__interpolate(Tensor input, int? size=None, float? scale_factor=None, str mode='nearest', "
        "bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
        {.doc = "Resizes by a named method.", .sample = "input=f32[batch,6,height,width], size=15"}),
    op<interpolate<Dim, std::vector<double>>>(
        "aten::__interpolate.scale_list(Tensor input, int? size=None, float[]? scale_factor=None, str "
        "mode='nearest', bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) "
        "-> Tensor",
        {.doc = "Resizes by a named method.", .sample = "input=f32[batch,6,height,width], size=15"}),
    op<interpolate<Shape, double>>(
        "aten::__interpolate.size_list(Tensor input, int[]? size=None, float? scale_factor=None, str "
        "mode='nearest', bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) "
        "-> Tensor",
        {.doc = "Resizes by a named method.", .sample = "size=[15, 25], input=f32[batch,6,height,width]"}),
    op<interpolate<Shape, std::vector<double>>>(
        "aten::__interpolate.size_list_scale_list(Tensor input, int[]? size=None, float[]? "
        "scale_factor=None, str mode='nearest', bool? align_corners=None, bool? recompute_scale_factor=None, "
        "bool antialias=False) -> Tensor",
        {.doc = "Resizes by a named method.", .sample = "size=[15, 25], input=f32[batch,6,height,width]"}),
};

}  // namespace

std::span<const Declaration> resize_ops() { return kResize; }

}  // namespace cameo::aten
