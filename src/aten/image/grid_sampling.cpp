// Sampling at given positions.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

Expr grid_sampler(Emit& e, Expr input, Expr grid, std::int64_t interpolation_mode, std::int64_t padding_mode,
                  bool align_corners) {
  static constexpr const char* kModes[] = {"linear", "nearest", "cubic"};
  static constexpr const char* kPaddings[] = {"zeros", "border", "reflection"};
  if (interpolation_mode < 0 || interpolation_mode > 2 || padding_mode < 0 || padding_mode > 2)
    throw ProgramError("the interpolation mode is unknown");
  onnx::Attributes attributes;
  attributes.push_back({"mode", kModes[interpolation_mode]});
  attributes.push_back({"padding_mode", kPaddings[padding_mode]});
  if (align_corners) attributes.push_back({"align_corners", std::int64_t{1}});
  return e.op("GridSample", {input, grid}, attributes);
}

// Positions of `count` pixels between -1 and 1: of their centres, or from corner to corner.
Expr pixel_positions(Emit& e, const Dim& count, DType dtype, bool align_corners) {
  const Expr index = indices(e, count);
  const Dim steps = align_corners ? count - 1 : count;
  const Expr twice = cast(index, dtype) * 2;
  const Expr centred = twice - e.cast(e.dim(count - 1), dtype);
  return centred / e.cast(e.dim(sym::max(steps, 1)), dtype);
}

Expr affine_grid_generator(Emit& e, Expr theta, Shape size, bool align_corners) {
  if (size.size() != 4 && size.size() != 5) throw ProgramError("'size' must have four or five numbers");
  const Shape pixels(size.begin() + 2, size.end());
  const std::int64_t axes = pixels.rank();
  Shape column = pixels;
  column.emplace_back(1);
  std::vector<Expr> coordinates;
  for (std::int64_t i = axes; i-- > 0;) {
    const Expr at = pixel_positions(e, pixels[i], theta.dtype(), align_corners);
    coordinates.push_back(expand(unsqueeze(at, consecutive(1, column.rank() - 1 - i)), column));
  }
  coordinates.push_back(e.expand(e.scalar(theta.dtype(), 1.0), column));
  const Expr base = reshape(concat(coordinates, axes), {pixels.product(), axes + 1});
  Shape result{size[0]};
  result.insert(result.end(), pixels.begin(), pixels.end());
  result.emplace_back(axes);
  return reshape(matmul(base, transpose(theta, {0, 2, 1})), result);
}

constexpr Declaration kGridSampling[] = {
    op<grid_sampler>(
        "aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool "
        "align_corners) -> Tensor",
        {.doc = "Samples at given positions.",
         .aliases = {"aten::grid_sampler_2d"},
         .sample =
             "input=f32[batch,6,height,width], grid=f32[batch,5,7,2], interpolation_mode=0, padding_mode=0"}),
    op<grid_sampler>("aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int "
                     "padding_mode, bool align_corners) -> Tensor",
                     {.doc = "Samples at given positions.",
                      .sample = "input=f32[batch,6,depth,height,width], grid=f32[batch,5,7,9,3], "
                                "interpolation_mode=0, padding_mode=0"}),
    op<affine_grid_generator>(
        "aten::affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
        {.doc = "Positions under affine maps, for grid_sampler.",
         .sample = "theta=f32[batch,2,3], size=[i64[], 6, 10, 12]"}),
};

}  // namespace

std::span<const Declaration> grid_sampling_ops() { return kGridSampling; }

}  // namespace cameo::aten
