#pragma once
// Factorisations of real matrices, for the families of linear algebra. Matrices are the last two dimensions,
// of f32 or f64; what precedes them is a batch. All sizes may be formulas. The work is done column by column
// in a Loop, in LAPACK's order and with its choice of pivots.
//
// PyTorch raises an error for a singular matrix; a graph cannot, and gives infinities or NaN.

#include "aten/arg.h"

namespace cameo::aten {

struct Lu {
  onnx::Value* packed;       // L below the diagonal, whose own is 1, and U
  onnx::Value* order;        // i64[…, m, 1]: row i of L U is row order[i] of the matrix
  onnx::Value* pivots;       // i64[…, min(m, n)]: the row that row i was exchanged with, from 0
  onnx::Value* determinant;  // […], like the next two: of the leading square part
  onnx::Value* sign;         // of the determinant: -1, 0 or 1
  onnx::Value* log_size;     // log |determinant|
  onnx::Value* zero_pivot;   // i64[…]: the first one that is 0, counted from 1; 0 if none is
};
Lu lu(Emit& e, const Tensor& matrix, bool pivot = true);

struct Cholesky {
  onnx::Value* lower;
  onnx::Value* not_positive;  // i64[…]: the first leading minor that is not positive, from 1; 0 if all are
};
Cholesky cholesky(Emit& e, const Tensor& matrix);  // reads the lower triangle

struct Triangle {
  bool upper = false;
  bool unit = false;  // the diagonal counts as ones
};
// The X with matrix X = right; reads the triangle only. Batches are broadcast.
onnx::Value* solve_triangular(Emit& e, const Tensor& matrix, const Tensor& right, Triangle triangle);
onnx::Value* solve_factored(Emit& e, onnx::Value* packed, onnx::Value* order, const Tensor& right);
onnx::Value* solve(Emit& e, const Tensor& matrix, const Tensor& right);
onnx::Value* inverse_of(Emit& e, const Tensor& matrix);
// i32[…]: where elimination met its first zero, from 1, or 0; done on the columns, as PyTorch solves systems.
onnx::Value* first_zero(Emit& e, const Tensor& matrix);

// The rows in another order, which is i64[…, m, 1].
onnx::Value* rows_in_order(Emit& e, onnx::Value* order, const Tensor& matrix);

onnx::Value* transposed(Emit& e, const Tensor& matrix);
onnx::Value* triangle_of(Emit& e, onnx::Value* matrix, bool upper,
                         std::int64_t offset = 0);  // zeros elsewhere
onnx::Value* identity_matrix(Emit& e, const Dim& size, DType dtype);

// Of one number a turn, [turns, …, 1, 1], a vector a matrix: […, turns].
onnx::Value* gathered_last(Emit& e, const Tensor& numbers);

Shape batch_of(const Tensor& matrix);
Shape with_matrix(Shape batch, const Dim& rows, const Dim& columns);
// The operand as a real matrix; throws what `name` cannot be computed of.
Tensor real_matrix(const Tensor& self);
Tensor square_matrix(Emit& e, const Tensor& self);

}  // namespace cameo::aten
