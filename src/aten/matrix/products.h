#pragma once
// Matrix products that several families are made of.

#include "aten/arg.h"

namespace cameo::aten {

// numpy's matmul, for operands of one dtype with at least one dimension. A transposed weight stays as it is
// stored where the operands are matrices.
onnx::Value* matrix_product(Emit& e, onnx::Value* a, onnx::Value* b);
// x @ weight^T + bias, over the last dimension of x.
onnx::Value* affine(Emit& e, onnx::Value* x, onnx::Value* weight, onnx::Value* bias);
// scale * product(a, b) + by * added, for matrices; `added` may be null and is broadcast.
onnx::Value* scaled_sum(Emit& e, onnx::Value* added, double by, onnx::Value* a, onnx::Value* b, double scale);
// An einsum over operands of one dtype; spaces, ellipses and an absent result are understood.
onnx::Value* einsum(Emit& e, const std::string& equation, std::vector<onnx::Value*> operands);

// The dtype in which products and sums are done: one that holds every number of this one.
DType calculable(DType dtype);

}  // namespace cameo::aten
