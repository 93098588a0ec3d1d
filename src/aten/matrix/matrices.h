#pragma once
// Factorisations of real matrices, for the families of linear algebra. Matrices are the last two dimensions,
// of f32 or f64; what precedes them is a batch. All sizes may be formulas. The work is done column by column
// in a Loop, in LAPACK's order and with its choice of pivots.
//
// PyTorch raises an error for a singular matrix; a graph cannot, and gives infinities or NaN.

#include "aten/arg.h"

namespace cameo::aten {

struct Lu {
  Expr packed;       // L below the diagonal, whose own is 1, and U
  Expr order;        // i64[…, m, 1]: row i of L U is row order[i] of the matrix
  Expr pivots;       // i64[…, min(m, n)]: the row that row i was exchanged with, from 0
  Expr determinant;  // […], like the next two: of the leading square part
  Expr sign;         // of the determinant: -1, 0 or 1
  Expr log_size;     // log |determinant|
  Expr zero_pivot;   // i64[…]: the first one that is 0, counted from 1; 0 if none is
};
Lu lu(const Expr& matrix, bool pivot = true);

struct Cholesky {
  Expr lower;
  Expr not_positive;  // i64[…]: the first leading minor that is not positive, from 1; 0 if all are
};
Cholesky cholesky(const Expr& matrix);  // reads the lower triangle

struct Triangle {
  bool upper = false;
  bool unit = false;  // the diagonal counts as ones
};
// The X with matrix X = right; reads the triangle only. Batches are broadcast.
Expr solve_triangular(const Expr& matrix, const Expr& right, Triangle triangle);
Expr solve_factored(Expr packed, Expr order, const Expr& right);
Expr solve(const Expr& matrix, const Expr& right);
Expr inverse_of(const Expr& matrix);
// i32[…]: where elimination met its first zero, from 1, or 0; done on the columns, as PyTorch solves systems.
Expr first_zero(const Expr& matrix);

// The rows in another order, which is i64[…, m, 1].
Expr rows_in_order(Expr order, const Expr& matrix);

Expr transposed(const Expr& matrix);
Expr triangle_of(Expr matrix, bool upper,
                 std::int64_t offset = 0);  // zeros elsewhere
Expr identity_matrix(Emit& e, const Dim& size, DType dtype);

// Numbers of the iterations, [count, …, 1, 1], as one vector per matrix, […, count].
Expr gathered_last(const Expr& numbers);

Shape batch_of(const Expr& matrix);
Shape with_matrix(Shape batch, const Dim& rows, const Dim& columns);
// The operand as a real matrix. Throws Unsupported, with `name`, if it is not one.
Expr real_matrix(const Expr& self);
Expr square_matrix(const Expr& self);

}  // namespace cameo::aten
