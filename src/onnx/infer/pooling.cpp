#include "onnx/infer/families.h"
#include "onnx/infer/linger.h"
#include "onnx/infer/window.h"

namespace cameo::onnx {
namespace {

void pool(Inference& f, DType result) {
  const auto& x = f.shape(0);
  const std::vector<std::int64_t> kernel = f.list("kernel_shape");
  std::optional<Shape> shape;
  if (!x) {
    shape = f.fresh_shape(kernel.size() + 2, "pool");
  } else {
    if (x->size() != kernel.size() + 2) f.fail("the kernel does not fit the number of axes");
    const Window window = window_of(f, kernel.size());
    shape = Shape{(*x)[0], (*x)[1]};
    for (std::size_t i = 0; i < kernel.size(); ++i)
      shape->push_back(window_count(f, window, i, (*x)[i + 2], kernel[i]));
  }
  f.set(0, result, shape);
  f.set(1, DType::i64, shape);
}

void pool(Inference& f) { pool(f, f.dtype(0)); }
void linger_pool(Inference& f) { pool(f, linger_result(f)); }

void global_pool(Inference& f, DType result) {
  const auto& x = f.shape(0);
  if (!x) return f.set(result, std::nullopt);
  if (x->size() < 2) f.fail("the input must have at least two axes");
  Shape shape(x->size(), 1);
  shape[0] = (*x)[0];
  shape[1] = (*x)[1];
  f.set(result, shape);
}

void global_pool(Inference& f) { global_pool(f, f.dtype(0)); }
void linger_global_pool(Inference& f) { global_pool(f, linger_result(f)); }

void max_unpool(Inference& f) {
  const auto& x = f.shape(0);
  if (f.has(2)) {
    const Elements asked = f.elements(2);
    if (asked) return f.set(f.dtype(0), Shape(*asked));
    return f.set(f.dtype(0), x ? std::optional(f.fresh_shape(x->size(), "unpool")) : std::nullopt);
  }
  if (!x) return f.set(f.dtype(0), std::nullopt);
  const std::vector<std::int64_t> kernel = f.list("kernel_shape");
  if (x->size() != kernel.size() + 2) f.fail("the kernel does not fit the number of axes");
  const Window window = window_of(f, kernel.size());
  Shape shape{(*x)[0], (*x)[1]};
  for (std::size_t i = 0; i < kernel.size(); ++i)
    shape.push_back(((*x)[i + 2] - 1) * window.strides[i] + kernel[i] - window.pads[i] -
                    window.pads[i + kernel.size()]);
  f.set(f.dtype(0), shape);
}

void roi_pool(Inference& f, std::int64_t height, std::int64_t width) {
  const Dim count = f.shape(1) && !f.shape(1)->empty() ? f.shape(1)->front() : f.fresh("rois");
  const Dim channels = f.shape(0) && f.shape(0)->size() > 1 ? (*f.shape(0))[1] : f.fresh("channels");
  f.set(f.dtype(0), Shape{count, channels, height, width});
}

void roi_align(Inference& f) { roi_pool(f, f.integer("output_height", 1), f.integer("output_width", 1)); }

void max_roi_pool(Inference& f) {
  const std::vector<std::int64_t> pooled = f.list("pooled_shape");
  if (pooled.size() != 2) f.fail("pooled_shape must have two numbers");
  roi_pool(f, pooled[0], pooled[1]);
}

constexpr InferRow kPooling[] = {
    {"linger::QAvgPool1d", linger_pool},
    {"linger::QAvgPool2d", linger_pool},
    {"linger::QGlobalAveragePool2d", linger_global_pool},
    {"thinker::AvgPool2dInt", linger_pool},
    {"MaxPool", pool},
    {"AveragePool", pool},
    {"LpPool", pool},
    {"GlobalAveragePool", global_pool},
    {"GlobalMaxPool", global_pool},
    {"GlobalLpPool", global_pool},
    {"MaxUnpool", max_unpool},
    {"RoiAlign", roi_align},
    {"MaxRoiPool", max_roi_pool},
};

}  // namespace

std::span<const InferRow> pooling_inference() { return kPooling; }

}  // namespace cameo::onnx
