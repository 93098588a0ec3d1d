#pragma once
// Fake quantisation: numbers are rounded to the values that integers of few bits can stand for.

#include <optional>

#include "aten/formula.h"

namespace cameo::aten {

// The values (q - zero_point) * scale of the integers q from `least` to `most`.
struct Grid {
  Expr scale;                        // f32; one number, or one for each index of `axis`
  Expr zero_point;                   // integers or floats, as many as scales
  std::optional<std::int64_t> axis;  // empty: one scale
  std::int64_t least = 0, most = 0;
};

// The nearest value of the grid for each element, as QuantizeLinear and DequantizeLinear. A constant is stored
// as integers. Throws ProgramError for a grid that PyTorch rejects.
Expr fake_quantized(Emit& e, const Expr& x, Grid grid);
// Whether the integer of each element lies within the limits of the grid.
Expr within_grid(Emit& e, const Expr& x, const Grid& grid);

// A constant weight as integers of `dtype` within the limits, computed as PyTorch does. Null if x or the grid is not a
// constant, or weights are quantised at run time.
Expr stored_integers(Emit& e, const Expr& x, const Grid& grid, DType dtype);

// The grid with a scale of f32 and parameters of the shape that ONNX demands: [] or [channels].
Grid checked_grid(Emit& e, const Expr& x, Grid grid);
// QuantizeLinear with the grid's limits, and DequantizeLinear.
Expr grid_quantize(Emit& e, const Expr& x, const Grid& grid, DType dtype);
Expr grid_dequantize(Emit& e, const Expr& integers, const Grid& grid);

// The integers of the grid as numbers of `dtype`, as quantised tensors of PyTorch 2 hold them: stored if x is a
// constant, else QuantizeLinear where it has the type, else arithmetic.
Expr grid_integers(Emit& e, const Expr& x, Grid grid, DType dtype);
// (integers - zero_point) * scale as `dtype`: DequantizeLinear where it takes the integers, else arithmetic.
Expr grid_values(Emit& e, const Expr& integers, Grid grid, DType dtype);

// A tensor of one element, without dimensions.
Expr as_number(const Expr& x);

}  // namespace cameo::aten
