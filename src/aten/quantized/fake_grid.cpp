#include "aten/quantized/fake_grid.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "onnx/fold/quantize.h"

namespace cameo::aten {
namespace {

std::vector<double> grid_numbers(const onnx::Value* value) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < value->data->numel(); ++i) numbers.push_back(value->data->real(i));
  return numbers;
}

bool whole_zero_point(const Expr& zero_point) {
  if (!is_floating(zero_point.dtype())) return true;
  return zero_point->constant() &&
         std::ranges::all_of(grid_numbers(zero_point), [](double z) { return z == std::floor(z); });
}

bool all_zero_points(const Expr& zero_point) {
  return zero_point->constant() &&
         std::ranges::all_of(grid_numbers(zero_point), [](double z) { return z == 0; });
}

// A type that holds the integers of the grid. A computed tensor needs one whose limits Clip can narrow.
std::optional<DType> grid_type(const Grid& grid, bool stored) {
  for (DType dtype : {DType::u4, DType::i4, DType::u8, DType::i8, DType::u16, DType::i16}) {
    const auto [least, most] = onnx::limits_of(dtype);
    const bool holds = grid.least >= least && grid.most <= most;
    const bool exact = grid.least == least && grid.most == most;
    const bool clips = dtype == DType::u8 || dtype == DType::i8;
    const bool constant = grid.zero_point->constant();
    if (holds && (stored || clips || (exact && constant))) return dtype;
  }
  return std::nullopt;
}

void check_grid_scales(const onnx::Value* scale) {
  if (!scale->constant()) return;
  for (double number : grid_numbers(scale))
    if (!(number > 0) || std::isinf(number))
      throw ProgramError(fmt::format("the scale must be a positive number, but it is {}", number));
}

void check_grid_zero_points(const Grid& grid) {
  if (!grid.zero_point->constant() || is_floating(grid.zero_point.dtype())) return;
  for (double number : grid_numbers(grid.zero_point))
    if (number < static_cast<double>(grid.least) || number > static_cast<double>(grid.most))
      throw ProgramError(fmt::format("the zero point must be between {} and {}, but it is {}", grid.least,
                                     grid.most, number));
}

// One element per channel, shaped to be broadcast along the axis of x.
Expr along_channels(const Expr& channels, const Expr& x, const Grid& grid) {
  if (!grid.axis) return channels;
  Shape shape = Shape::filled(x.rank(), Dim(1));
  shape[*grid.axis] = channels.dim(0);
  return reshape(channels, shape);
}

// The integers before they are limited, in f64.
Expr unlimited_integers(const Expr& x, const Grid& grid) {
  const Expr inverse = reciprocal(along_channels(grid.scale, x, grid));
  const Expr number = x.dtype() == DType::f64 ? x : cast(x, DType::f32);
  const Expr scaled = number * cast_like(inverse, number);
  const Expr zero = along_channels(grid.zero_point, x, grid);
  if (!whole_zero_point(grid.zero_point)) return cast(round(scaled + cast_like(zero, scaled)), DType::f64);
  return cast(round(scaled), DType::f64) + cast(zero, DType::f64);
}

Expr limited_integers(const Expr& x, const Grid& grid) {
  const Expr integers = unlimited_integers(x, grid);
  return clip(integers, static_cast<double>(grid.least), static_cast<double>(grid.most));
}

Expr grid_arithmetic(const Expr& x, const Grid& grid) {
  const Expr limited = limited_integers(x, grid);
  const Expr zero = cast(along_channels(grid.zero_point, x, grid), DType::f64);
  return cast((limited - zero) * cast(along_channels(grid.scale, x, grid), DType::f64), x.dtype());
}

Expr typed_zero_point(Emit& e, const Grid& grid, DType dtype) {
  if (!grid.zero_point->constant()) return cast(grid.zero_point, dtype);
  std::vector<std::int64_t> integers;
  for (double z : grid_numbers(grid.zero_point)) integers.push_back(static_cast<std::int64_t>(z));
  return e.constant(onnx::integers_of(dtype, grid.zero_point->data->shape(), integers));
}

onnx::Attributes grid_axis(const Grid& grid) {
  return grid.axis ? onnx::Attributes{{"axis", *grid.axis}} : onnx::Attributes{};
}

std::optional<onnx::Quantization> constant_quantization(const Grid& grid, DType dtype) {
  if (!grid.scale->constant() || !grid.zero_point->constant()) return std::nullopt;
  onnx::Quantization q{.dtype = dtype,
                       .scales = {},
                       .zero_points = {},
                       .axis = grid.axis.value_or(0),
                       .least = grid.least,
                       .most = grid.most,
                       .by_inverse = true};
  for (double scale : grid_numbers(grid.scale)) q.scales.push_back(static_cast<float>(scale));
  for (double z : grid_numbers(grid.zero_point)) q.zero_points.push_back(static_cast<std::int64_t>(z));
  return q;
}

bool grid_limits_bind(const Expr& x, const Grid& grid, DType dtype) {
  const auto [least, most] = onnx::limits_of(dtype);
  if (grid.least <= least && grid.most >= most) return false;
  const auto quantization = constant_quantization(grid, dtype);
  const onnx::DataPtr known = quantization ? onnx::computed_from_constants(x) : nullptr;
  return !known || onnx::limits_matter(known, *quantization);
}

Grid checked_parameters(Emit& e, const Expr& x, Grid grid) {
  grid.scale = cast(grid.scale, DType::f32);
  if (grid.axis) {
    grid.axis = x.wrap(*grid.axis);
    e.require({sym::Relation::equal, grid.scale.dim(0), x.dim(*grid.axis)},
              "the number of scales differs from the number of channels");
  } else {
    grid.scale = as_number(grid.scale);
    grid.zero_point = as_number(grid.zero_point);
  }
  check_grid_scales(grid.scale);
  return grid;
}

}  // namespace

Expr as_number(const Expr& x) { return x->has_rank() && x.rank() == 0 ? x : reshape(x, {}); }

Grid checked_grid(Emit& e, const Expr& x, Grid grid) {
  if (!is_floating(x.dtype()))
    throw ProgramError(fmt::format("a tensor of {} cannot be quantised", name(x.dtype())));
  if (grid.least > grid.most) throw ProgramError("'quant_min' is greater than 'quant_max'");
  grid = checked_parameters(e, x, grid);
  check_grid_zero_points(grid);
  return grid;
}

Expr stored_integers(Emit& e, const Expr& x, const Grid& grid, DType dtype) {
  const auto quantization = constant_quantization(grid, dtype);
  if (!quantization || !e.stores_quantized() || x.dtype() == DType::f64) return nullptr;
  const onnx::DataPtr weight = onnx::computed_from_constants(x);
  if (!weight) return nullptr;
  const onnx::Node* made = x->constant() ? nullptr : x->producer;
  return e.constant(onnx::quantized(weight, *quantization), made ? made->inputs[0]->name : x->name);
}

Expr grid_quantize(Emit& e, const Expr& x, const Grid& grid, DType dtype) {
  const Expr zero = typed_zero_point(e, grid, dtype);
  const Expr integers = e.op("QuantizeLinear", {cast(x, DType::f32), grid.scale, zero}, grid_axis(grid));
  if (!grid_limits_bind(x, grid, dtype)) return integers;
  const auto [least, most] = onnx::limits_of(dtype);
  const auto limit = [&](std::int64_t number, std::int64_t bound) {
    return number == bound ? Expr() : Expr(e.scalar(dtype, number));
  };
  return compute(e, "Clip", {integers, limit(grid.least, least), limit(grid.most, most)});
}

Expr grid_dequantize(Emit& e, const Expr& integers, const Grid& grid) {
  const Expr zero = typed_zero_point(e, grid, integers.dtype());
  return e.op("DequantizeLinear", {integers, grid.scale, zero}, grid_axis(grid));
}

Expr fake_quantized(Emit& e, const Expr& x, Grid grid) {
  grid = checked_grid(e, x, grid);
  if (x.dtype() == DType::f64 || !whole_zero_point(grid.zero_point)) return grid_arithmetic(x, grid);
  if (const auto dtype = grid_type(grid, true))
    if (const Expr weight = stored_integers(e, x, grid, *dtype); weight.value)
      return cast_like(grid_dequantize(e, weight, grid), x);
  const auto dtype = grid_type(grid, false);
  if (!dtype) return grid_arithmetic(x, grid);
  return cast_like(grid_dequantize(e, grid_quantize(e, x, grid, *dtype), grid), x);
}

Expr grid_integers(Emit& e, const Expr& x, Grid grid, DType dtype) {
  grid = checked_grid(e, x, grid);
  const bool small = dtype == DType::i8 || dtype == DType::u8,
             medium = dtype == DType::i16 || dtype == DType::u16;
  if (whole_zero_point(grid.zero_point) && (small || medium) && x.dtype() != DType::f64) {
    if (const Expr stored = stored_integers(e, x, grid, dtype); stored.value) return stored;
    const auto [least, most] = onnx::limits_of(dtype);
    if (small || (grid.least == least && grid.most == most)) return grid_quantize(e, x, grid, dtype);
  }
  const Expr limited = limited_integers(x, grid);
  return is_floating(dtype) ? cast(cast(limited, DType::f32), dtype) : cast(limited, dtype);
}

Expr grid_values(Emit& e, const Expr& integers, Grid grid, DType dtype) {
  grid = checked_parameters(e, integers, grid);
  const DType type = integers.dtype();
  const bool small = type == DType::i8 || type == DType::u8 || type == DType::i16 || type == DType::u16;
  if (small && whole_zero_point(grid.zero_point)) return cast(grid_dequantize(e, integers, grid), dtype);
  if (type == DType::i32 && all_zero_points(grid.zero_point))
    return cast(Expr(e.op("DequantizeLinear", {integers, grid.scale}, grid_axis(grid))), dtype);
  const Expr zero = cast(along_channels(grid.zero_point, integers, grid), DType::f32);
  return cast((cast(integers, DType::f32) - zero) * along_channels(grid.scale, integers, grid), dtype);
}

Expr within_grid(Emit& e, const Expr& x, const Grid& given) {
  const Grid grid = checked_grid(e, x, given);
  const Expr integers = unlimited_integers(x, grid);
  const Expr above = integers >= static_cast<double>(grid.least);
  return above && integers <= static_cast<double>(grid.most);
}

}  // namespace cameo::aten
