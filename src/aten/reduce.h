#pragma once
// What the families that reduce dimensions share.

#include <optional>
#include <string_view>
#include <vector>

#include "aten/arg.h"

namespace cameo::aten {

using Axes = std::vector<std::int64_t>;

// What sums and products of this dtype are computed in: integers and booleans become i64.
DType sum_dtype(DType dtype);

// The dimensions to reduce, in order; none given means all. Those of a 0-d tensor are none.
Axes axes_of(const Tensor& self, const std::optional<Axes>& dim);
Dim count(const Tensor& self, const Axes& axes);  // how many elements are reduced to one

// ReduceSum, ReduceMax … over `axes` of a value of known rank, in a dtype that runtimes have it for. Without
// elements the result is what the operator starts from; a largest or smallest is a ProgramError then.
onnx::Value* reduce(Emit& e, std::string_view op, onnx::Value* x, const Axes& axes, bool keepdim);
// The product of all slices along an axis, or all products on the way: of f64, which ONNX Runtime has no
// other product of.
onnx::Value* product_by_steps(Emit& e, onnx::Value* x, std::int64_t axis, bool running);
// Whether one element, or all, are true.
onnx::Value* any_of(Emit& e, onnx::Value* x, const Axes& axes, bool keepdim);
onnx::Value* all_of(Emit& e, onnx::Value* x, const Axes& axes, bool keepdim);

// The p-norm of floats; p may be infinite, negative or 0 (the number of elements that are not 0).
onnx::Value* vector_norm(Emit& e, onnx::Value* x, double p, const Axes& axes, bool keepdim);

// A reduction of losses as PyTorch numbers it: 0 none, 1 mean, 2 sum.
Tensor reduce_loss(Emit& e, onnx::Value* loss, std::int64_t reduction);

}  // namespace cameo::aten
