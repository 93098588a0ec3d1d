#pragma once
// Shared by the families that reduce dimensions.

#include <optional>
#include <string_view>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

// The dtype of sums and products of this dtype: integers and booleans become i64.
DType sum_dtype(DType dtype);

// The dimensions to reduce, in order; none given means all. Those of a 0-d tensor are none.
Axes axes_of(const ValueRef& self, const std::optional<Axes>& dim);
Dim count(const ValueRef& self, const Axes& axes);  // how many elements are reduced to one

// ReduceSum, ReduceMax … over `axes` of a value of known rank, in a dtype for which runtimes implement it.
// Without elements the result is the neutral element of the operator; a maximum or minimum is then a
// ProgramError.
Expr reduce(std::string_view op, const Expr& x, const Axes& axes, bool keepdim = false);
Expr reduce_sum(const Expr& x, const Axes& axes, bool keepdim = false);
Expr reduce_mean(const Expr& x, const Axes& axes, bool keepdim = false);
Expr reduce_max(const Expr& x, const Axes& axes, bool keepdim = false);
Expr reduce_min(const Expr& x, const Axes& axes, bool keepdim = false);
Expr reduce_product(const Expr& x, const Axes& axes, bool keepdim = false);
// The product of all slices along an axis, or all partial products: for f64, for which ONNX Runtime has no
// ReduceProd.
Expr product_by_steps(const Expr& x, std::int64_t axis, bool running);
// Whether one element, or all, are true.
Expr any_of(const Expr& x, const Axes& axes, bool keepdim);
Expr all_of(const Expr& x, const Axes& axes, bool keepdim);

// The p-norm of floats; p may be infinite, negative or 0 (the number of elements that are not 0).
Expr vector_norm(const Expr& x, double p, const Axes& axes, bool keepdim);

// A reduction of losses as PyTorch numbers it: 0 none, 1 mean, 2 sum.
Expr reduce_loss(const Expr& loss, std::int64_t reduction);

}  // namespace cameo::aten
