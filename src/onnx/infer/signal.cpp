#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void dft(Inference& f) {
  const auto& x = f.shape(0);
  if (!x) return f.set(f.dtype(0), std::nullopt);
  const auto given = f.formula(2), length = f.formula(1);
  const auto number = given ? known(*given) : std::nullopt;
  Shape shape = *x;
  if (f.has(2) && !number) return f.set(f.dtype(0), f.fresh_shape(shape.size(), "dft"));
  const std::size_t axis = f.axis(number.value_or(-2), shape.size());
  if (f.has(1)) shape[axis] = length ? *length : f.fresh("dft");
  const bool onesided = f.integer("onesided", 0) != 0, inverse = f.integer("inverse", 0) != 0;
  if (onesided && !inverse) shape[axis] = sym::floordiv(shape[axis], 2) + 1;
  if (onesided && inverse && !f.has(1)) shape[axis] = (shape[axis] - 1) * 2;
  shape.back() = onesided && inverse ? 1 : 2;
  f.set(f.dtype(0), shape);
}

void stft(Inference& f) {
  const auto& signal = f.shape(0);
  const auto step = f.formula(1);
  std::optional<Dim> length = f.formula(3);
  if (!length && f.has(2) && f.shape(2) && !f.shape(2)->empty()) length = f.shape(2)->front();
  if (!signal || signal->size() < 2 || !step || !length) return f.set(f.dtype(0), f.fresh_shape(4, "stft"));
  const Dim bins = f.integer("onesided", 1) != 0 ? sym::floordiv(*length, 2) + 1 : *length;
  const Dim frames = sym::floordiv((*signal)[1] - *length, *step) + 1;
  f.set(f.dtype(0), Shape{(*signal)[0], frames, bins, 2});
}

void mel_weights(Inference& f) {
  const auto bins = f.formula(0), length = f.formula(1);
  f.set(f.dtype_attribute("output_datatype", DType::f32),
        Shape{length ? sym::floordiv(*length, 2) + 1 : f.fresh("dft"), bins ? *bins : f.fresh("mel")});
}

constexpr InferRow kSignal[] = {{"DFT", dft}, {"STFT", stft}, {"MelWeightMatrix", mel_weights}};

}  // namespace

std::span<const InferRow> signal_inference() { return kSignal; }

}  // namespace cameo::onnx
