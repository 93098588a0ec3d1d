#include "aten/quantized/dynamic_range.h"

namespace cameo::aten::quantized_ops {

Tensor quantized_dynamically(Emit& e, const Expr& x, bool reduce_range) {
  if (!reduce_range) {
    const std::vector<onnx::Value*> results = e.ops("DynamicQuantizeLinear", {x}, {}, 3);
    return {results[0], std::make_shared<Quantizer>(Quantizer{results[1], results[2], std::nullopt})};
  }
  constexpr double kMost = 127;
  constexpr double kSmallestScale = 6.1e-5;
  const onnx::Attributes flat{{"keepdims", std::int64_t{0}}};
  const Expr least = minimum(cast(e.op("ReduceMin", {x}, flat), DType::f64), 0);
  const Expr most = maximum(cast(e.op("ReduceMax", {x}, flat), DType::f64), 0);
  const Expr step = (most - least) / kMost;
  const Expr divisor = maximum(step, 1e-300);
  const Expr zero_point = cast(round(minimum(-least / divisor, kMost)), DType::u8);
  const Expr scale = cast(maximum(step, kSmallestScale), DType::f32);
  return {e.op("QuantizeLinear", {x, scale, zero_point}),
          std::make_shared<Quantizer>(Quantizer{scale, zero_point, std::nullopt})};
}

}  // namespace cameo::aten::quantized_ops
