#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void batch_normalization(Inference& f) {
  like_first(f);
  f.set(1, f.outputs() > 1 ? f.dtype(3) : f.dtype(0), f.shape(3));
  f.set(2, f.outputs() > 2 ? f.dtype(4) : f.dtype(0), f.shape(4));
}

void layer_normalization(Inference& f) {
  like_first(f);
  if (f.outputs() < 2) return;
  std::optional<Shape> shape = f.shape(0);
  if (shape)
    for (std::size_t i = f.axis(f.integer("axis", -1), shape->size()); i < shape->size(); ++i)
      (*shape)[i] = 1;
  const DType stash = f.dtype_attribute("stash_type", DType::f32);
  f.set(1, stash, shape);
  f.set(2, stash, shape);
}

void loss(Inference& f) {
  const bool reduced = f.text("reduction", "mean") != "none";
  f.set(0, f.dtype(0), reduced ? std::optional(Shape{}) : f.shape(1));
  f.set(1, f.dtype(0), f.shape(0));
}

constexpr InferRow kNormalization[] = {
    {"BatchNormalization", batch_normalization},
    {"InstanceNormalization", like_first},
    {"GroupNormalization", like_first},
    {"LayerNormalization", layer_normalization},
    {"RMSNormalization", like_first},
    {"LRN", like_first},
    {"MeanVarianceNormalization", like_first},
    {"NegativeLogLikelihoodLoss", loss},
    {"SoftmaxCrossEntropyLoss", loss},
};

}  // namespace

std::span<const InferRow> normalization_inference() { return kNormalization; }

}  // namespace cameo::onnx
