#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void dft(Inference& f) {
  const auto& x = f.shape(0);
  if (!x) return f.set(f.dtype(0), std::nullopt);
  const auto given = f.integers(2);
  const Elements length = f.elements(1);
  Shape shape = *x;
  if (f.has(2) && !given) return f.set(f.dtype(0), f.fresh_shape(shape.size(), "dft"));
  const std::size_t axis = f.axis(given ? given->at(0) : -2, shape.size());
  if (f.has(1)) shape[axis] = length ? length->front() : f.fresh("dft");
  const bool onesided = f.integer("onesided", 0) != 0, inverse = f.integer("inverse", 0) != 0;
  if (onesided && !inverse) shape[axis] = sym::floordiv(shape[axis], 2) + 1;
  if (onesided && inverse && !f.has(1)) shape[axis] = (shape[axis] - 1) * 2;
  shape.back() = onesided && inverse ? 1 : 2;
  f.set(f.dtype(0), shape);
}

void stft(Inference& f) {
  const auto& signal = f.shape(0);
  const Elements step = f.elements(1);
  const Elements given = f.elements(3);
  std::optional<Dim> length;
  if (given)
    length = given->front();
  else if (f.has(2) && f.shape(2) && !f.shape(2)->empty())
    length = f.shape(2)->front();
  if (!signal || signal->empty() || !step || !length) return f.set(f.dtype(0), f.fresh_shape(4, "stft"));
  const Dim bins = f.integer("onesided", 1) != 0 ? sym::floordiv(*length, 2) + 1 : *length;
  const Dim frames = sym::floordiv((*signal)[1] - *length, step->front()) + 1;
  f.set(f.dtype(0), Shape{(*signal)[0], frames, bins, 2});
}

void mel_weights(Inference& f) {
  const Elements bins = f.elements(0), length = f.elements(1);
  f.set(f.dtype_attribute("output_datatype", DType::f32),
        Shape{length ? sym::floordiv(length->front(), 2) + 1 : f.fresh("dft"),
              bins ? bins->front() : f.fresh("mel")});
}

constexpr InferRow kSignal[] = {{"DFT", dft}, {"STFT", stft}, {"MelWeightMatrix", mel_weights}};

}  // namespace

std::span<const InferRow> signal_inference() { return kSignal; }

}  // namespace cameo::onnx
