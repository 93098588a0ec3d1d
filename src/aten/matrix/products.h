#pragma once
// Matrix products that several families are made of.

#include "aten/arg.h"

namespace cameo::aten {

// numpy's matmul, for operands of one dtype with at least one dimension. A transposed weight stays as it is
// stored where the operands are matrices.
Expr matrix_product(Emit& e, Expr a, Expr b);
// x @ weight^T + bias, over the last dimension of x.
Expr affine(Emit& e, Expr x, Expr weight, Expr bias);
// scale * product(a, b) + by * added, for matrices; `added` may be null and is broadcast.
Expr scaled_sum(Emit& e, Expr added, double by, Expr a, Expr b, double scale);
// An einsum over operands of one dtype; spaces, ellipses and an absent result are understood.
Expr einsum(Emit& e, const std::string& equation, std::vector<Expr> operands);

// The dtype in which products and sums are done: one that holds every number of this one.
DType calculable(DType dtype);

}  // namespace cameo::aten
