#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void quantize(Inference& f) {
  const DType asked =
      f.integer("output_dtype", 0) != 0 ? f.dtype_attribute("output_dtype", DType::u8) : DType::u8;
  f.set(f.has(2) ? f.dtype(2) : asked, f.shape(0));
}

void dequantize(Inference& f) {
  const DType asked =
      f.integer("output_dtype", 0) != 0 ? f.dtype_attribute("output_dtype", DType::f32) : f.dtype(1);
  f.set(asked, f.shape(0));
}

void dynamic_quantize(Inference& f) {
  f.set(0, DType::u8, f.shape(0));
  f.set(1, DType::f32, Shape{});
  f.set(2, DType::u8, Shape{});
}

void bit_cast(Inference& f) { f.set(f.dtype_attribute("to", DType::f32), f.shape(0)); }

constexpr InferRow kQuantization[] = {
    {"QuantizeLinear", quantize},
    {"DequantizeLinear", dequantize},
    {"DynamicQuantizeLinear", dynamic_quantize},
    {"BitCast", bit_cast},
};

}  // namespace

std::span<const InferRow> quantization_inference() { return kQuantization; }

}  // namespace cameo::onnx
