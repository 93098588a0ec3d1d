#include <cmath>

#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

// floor(size * scale) for a float32 scale.
Dim scaled(Inference& f, const Dim& size, float scale) {
  constexpr float kTooLarge = 0x1p63F, kWholeUpTo = 65536;
  if (const auto number = known(size)) {
    const float result = std::floor(static_cast<float>(*number) * scale);
    if (!(result >= 0 && result < kTooLarge)) f.fail("a scale does not give a valid size");
    return static_cast<std::int64_t>(result);
  }
  const float whole = std::nearbyint(scale);
  if (scale == whole && scale >= 1 && scale < kWholeUpTo) return size * static_cast<std::int64_t>(whole);
  const float inverse = std::nearbyint(1 / scale);
  if (scale > 0 && inverse < kWholeUpTo && 1 / inverse == scale &&
      std::exp2(std::nearbyint(std::log2(inverse))) == inverse)
    return sym::floordiv(size, static_cast<std::int64_t>(inverse));
  return f.fresh("resized");
}

void resize(Inference& f) {
  const auto& from = f.shape(0);
  if (!from) return f.set(f.dtype(0), std::nullopt);
  Shape shape = *from;
  std::vector<std::int64_t> axes = f.list("axes");
  if (axes.empty()) axes = consecutive(0, std::ssize(shape));
  const Elements sizes = f.elements(3);
  if (sizes && sizes->size() != axes.size()) f.fail("the sizes do not fit the number of axes");
  const bool stretched = f.text("keep_aspect_ratio_policy", "stretch") == "stretch";
  for (std::int64_t i = 0; i < std::ssize(axes); ++i) {
    Dim& size = shape[f.axis(element_at(axes, i), shape.size())];
    if (f.has(3) && sizes && stretched)
      size = element_at(*sizes, i);
    else if (f.has(2) && f.input(2).constant() && f.input(2).data->numel() == std::ssize(axes))
      size = scaled(f, size, static_cast<float>(f.input(2).data->real(i)));
    else
      size = f.fresh("resized");
  }
  f.set(f.dtype(0), shape);
}

void grid_sample(Inference& f) {
  const auto& x = f.shape(0);
  const auto& grid = f.shape(1);
  if (!x || !grid || grid->size() != x->size() || x->size() < 3) return f.set(f.dtype(0), std::nullopt);
  Shape shape{(*x)[0], (*x)[1]};
  shape.insert(shape.end(), grid->begin() + 1, grid->end() - 1);
  f.set(f.dtype(0), shape);
}

void affine_grid(Inference& f) {
  const Elements size = f.elements(1);
  if (!size || size->size() < 4) return f.set(f.dtype(0), std::nullopt);
  Shape shape{(*size)[0]};
  shape.insert(shape.end(), size->begin() + 2, size->end());
  shape.emplace_back(std::ssize(*size) - 2);
  f.set(f.dtype(0), shape);
}

constexpr InferRow kResize[] = {{"Resize", resize}, {"GridSample", grid_sample}, {"AffineGrid", affine_grid}};

}  // namespace

std::span<const InferRow> resize_inference() { return kResize; }

}  // namespace cameo::onnx
