// torchvision's operators: boxes that cover each other, and what images show within boxes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// PyTorch compares with a double, runtimes with a float: with the next one below, both say the same of
// floats.
float at_most(double threshold) {
  const auto nearest = static_cast<float>(threshold);
  return nearest > threshold ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

Expr nms(Emit& e, Expr dets, Expr scores, double iou_threshold) {
  if (dets.rank() != 2 || scores.rank() != 1)
    throw ProgramError("the boxes must have the shape [count, 4], with one score for each");
  const Expr boxes = unsqueeze(cast(dets, DType::f32), {0});
  const Expr ranks = unsqueeze(cast(scores, DType::f32), {0, 1});
  constexpr std::int64_t kAll = std::numeric_limits<std::int32_t>::max();
  const Expr most = e.unsqueeze(e.scalar(DType::f32, double{at_most(iou_threshold)}), {0});
  const Expr chosen = e.op("NonMaxSuppression", {boxes, ranks, e.ints({kAll}), most});
  return gather(chosen, e.scalar(DType::i64, std::int64_t{2}), 1);
}

struct Rois {
  Expr boxes;    // [count, 4]
  Expr batches;  // i64[count]: the image of each
};

Rois rois_of(Emit& e, const Expr& rois) {
  if (rois.rank() != 2)
    throw ProgramError("the regions must have the shape [count, 5]: the index of an image and a box");
  const Expr batches = gather(rois, e.scalar(DType::i64, std::int64_t{0}), 1);
  return {slice(rois, 1, 1, 5, 1), cast(batches, DType::i64)};
}

Expr roi_align(Emit& e, Expr input, Expr rois, double spatial_scale, std::int64_t pooled_height,
               std::int64_t pooled_width, std::int64_t sampling_ratio, bool aligned) {
  const DType dtype = input.dtype() == DType::f64 ? DType::f64 : DType::f32;
  const auto [boxes, batches] = rois_of(e, rois);
  onnx::Attributes attributes{
      {"output_height", pooled_height},
      {"output_width", pooled_width},
      {"sampling_ratio", std::max<std::int64_t>(sampling_ratio, 0)},
      {"spatial_scale", static_cast<float>(spatial_scale)},
      {"coordinate_transformation_mode", aligned ? "half_pixel" : "output_half_pixel"}};
  return cast(e.op("RoiAlign", {cast(input, dtype), cast(boxes, dtype), batches}, std::move(attributes)),
              input.dtype());
}

// Each cell of the grid has channels of its own: of roi_align's result, the cell (i, j) of the channels for
// (i, j). The mapping of the channels, the second result, is not computed.
Returns ps_roi_align(Emit& e, Expr input, Expr rois, double spatial_scale, std::int64_t pooled_height,
                     std::int64_t pooled_width, std::int64_t sampling_ratio) {
  const std::int64_t cells = pooled_height * pooled_width;
  if (input.rank() != 4)
    throw ProgramError("the images must have the shape [batch, channels, height, width]");
  if (cells < 1) throw ProgramError("the height and the width of the result must be positive");
  if (e.sym().divisible(input.dim(1), cells) == sym::Truth::no)
    throw ProgramError("the number of channels must be divisible by the number of cells");
  Expr aligned = roi_align(e, input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, true);
  if (sampling_ratio <= 0) {
    // The number of samples follows from the box. PyTorch divides by 0 where there are none.
    const Expr box = cast(rois, DType::f32) * spatial_scale;
    const auto samples = [&](std::int64_t first, std::int64_t count) {
      return ceil((slice(box, 1, first + 2, first + 3) - slice(box, 1, first, first + 1)) / count);
    };
    const Expr none = equal(samples(1, pooled_width) * samples(2, pooled_height), 0);
    aligned = where(unsqueeze(none, {2, 3}), std::numeric_limits<double>::quiet_NaN(), aligned);
  }
  Axes own;
  for (std::int64_t cell = 0; cell < cells; ++cell) own.push_back(cell * cells + cell);
  const Dim count = aligned.dim(0), channels = sym::floordiv(input.dim(1), cells);
  const Expr chosen = gather(reshape(aligned, {count, channels, cells * cells}), e.ints(own), 2);
  return {Arg{Tensor(reshape(chosen, {count, channels, pooled_height, pooled_width}))}, Arg{}};
}

// The places of the maxima, the second result, are not computed.
Returns roi_pool(Emit& e, Expr input, Expr rois, double spatial_scale, std::int64_t pooled_height,
                 std::int64_t pooled_width) {
  if (rois.rank() != 2)
    throw ProgramError("the regions must have the shape [count, 5]: the index of an image and a box");
  const Expr pooled = e.op("MaxRoiPool", {cast(input, DType::f32), cast(rois, DType::f32)},
                           {{"pooled_shape", Axes{pooled_height, pooled_width}},
                            {"spatial_scale", static_cast<float>(spatial_scale)}});
  return {Arg{Tensor(cast(pooled, input.dtype()))}, Arg{}};
}

constexpr Declaration kRegions[] = {
    op<nms>("torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
            {.doc = "The boxes that no better box covers too much of, the best first.",
             .sample = "dets=f32[batch,4], scores=f32[batch], iou_threshold=0.5"}),
    op<roi_align>("torchvision::roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, "
                  "int pooled_width, int sampling_ratio, bool aligned) -> Tensor",
                  {.doc = "Samples boxes of images as grids of one size.",
                   .sample = "input=f32[batch,6,height,width], rois=f32[5,5], spatial_scale=0.5, "
                             "pooled_height=3, pooled_width=3, sampling_ratio=2, aligned=False"}),
    op<ps_roi_align>("torchvision::ps_roi_align(Tensor input, Tensor rois, float spatial_scale, int "
                     "pooled_height, int pooled_width, int sampling_ratio) -> (Tensor, Tensor)",
                     {.doc = "Samples boxes of images as grids of one size; each cell has its own channels.",
                      .sample = "input=f32[batch,18,height,width], rois=f32[5,5], spatial_scale=0.5, "
                                "pooled_height=3, pooled_width=3, sampling_ratio=2"}),
    op<roi_pool>(
        "torchvision::roi_pool(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int "
        "pooled_width) -> (Tensor, Tensor)",
        {.doc = "Maxima of boxes of images, as grids of one size.",
         .sample = "input=f32[batch,6,height,width], rois=f32[5,5], spatial_scale=0.5, pooled_height=3, "
                   "pooled_width=3"}),
};

}  // namespace

std::span<const Declaration> regions_ops() { return kRegions; }

}  // namespace cameo::aten
