#pragma once
// Singular values and eigenvalues of real matrices, which are the last two dimensions. Pairs of columns are rotated
// until all are orthogonal (Jacobi's method), in a Loop and in f64. All sizes may be formulas.
//
// Singular vectors are unique but for their signs, and for rotations where values are equal. There is no function
// that gives them: LAPACK's choice cannot be repeated.

#include "aten/arg.h"

namespace cameo::aten {

// […, min(m, n)], from the largest to the smallest, of the dtype of the matrix.
Expr singular_values(const Expr& matrix);

enum class Half { lower, upper };
// […, n], from the smallest to the largest, of the symmetric matrix that has this half.
Expr symmetric_eigenvalues(const Expr& matrix, Half half);

// The largest of numbers that are not negative, along the last dimension, which stays with size 1; 0 of none.
Expr largest_last(const Expr& values);

// The pseudo-inverse without the singular values up to max(atol, rtol * the largest one). Both tolerances are f64 and
// have the shape of the batch, or one that is broadcast to it.
Expr pseudo_inverse(const Expr& matrix, const Expr& atol, const Expr& rtol);

}  // namespace cameo::aten
