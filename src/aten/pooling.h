#pragma once
// Pooling whose window follows from the size of the result: src/aten/pooling.cpp declares it.

#include "aten/arg.h"

namespace cameo::aten {

Tensor adaptive_avg_pool(Emit& e, const Tensor& self, std::size_t axes, const Shape& output_size);
// Values, and their places in the pooled dimensions counted row by row.
std::vector<Tensor> adaptive_max_pool(Emit& e, const Tensor& self, std::size_t axes,
                                      const Shape& output_size);

// The maximum or mean over the last `axes` dimensions, which stay with size 1.
onnx::Value* global_max(Emit& e, onnx::Value* x, std::size_t axes);
onnx::Value* global_mean(Emit& e, onnx::Value* x, std::size_t axes);
// Where the maximum over the last `axes` dimensions is, counted row by row; the dimensions stay with size 1.
onnx::Value* global_argmax(Emit& e, onnx::Value* x, std::size_t axes);

std::vector<std::int64_t> last_axes(const onnx::Value* x, std::size_t count);
void check_pooled(const Tensor& self, std::size_t axes);  // a batch dimension may be missing

}  // namespace cameo::aten
