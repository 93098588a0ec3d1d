// Systems of linear equations, and the factors that solve them.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"

namespace cameo::aten {
namespace {

// PyTorch's rule: a vector, or a batch of vectors exactly as the matrices are.
bool is_vector(Emit& e, const Expr& matrix, const Expr& right) {
  if (right.rank() == 1) return true;
  if (right.rank() != matrix.rank() - 1) return false;
  bool sure = true;
  for (std::int64_t i = 0; i < right.rank(); ++i) {
    const sym::Truth same = e.sym().equal(matrix.dim(i), right.dim(i));
    if (same == sym::Truth::no) return false;
    sure = sure && same == sym::Truth::yes;
  }
  if (!sure)
    throw Unsupported("the right-hand side is a matrix or vectors, depending on runtime sizes",
                      "give equal sizes of both arguments one name, or fix them");
  return true;
}

Expr solve_system(Emit& e, const Expr& self, const Expr& other, bool left) {
  const Expr a = square_matrix(self);
  const Expr b = cast(other, a.dtype());
  const bool vector = is_vector(e, a, b);
  if (vector && !left) throw ProgramError("left=False is not supported for vectors");
  const Expr right = vector ? unsqueeze(b, {b.rank()}) : left ? b : transposed(b);
  const Expr x = solve(left ? a : transposed(a), right);
  if (vector) return squeeze(x, {x.rank() - 1});
  return left ? x : transposed(x);
}

Expr linalg_solve(Emit& e, Expr self, Expr other, bool left) { return solve_system(e, self, other, left); }

std::vector<Expr> linalg_solve_ex(Emit& e, Expr self, Expr other, bool left, Ignored) {
  return {solve_system(e, self, other, left), first_zero(self)};
}

Expr linalg_solve_triangular(Emit&, Expr self, Expr other, bool upper, bool left, bool unitriangular) {
  const Expr a = square_matrix(self);
  const Expr b = real_matrix(cast(other, a.dtype()));
  if (left) return solve_triangular(a, b, {upper, unitriangular});
  return transposed(solve_triangular(transposed(a), transposed(b), {!upper, unitriangular}));
}

std::vector<Expr> triangular_solve(Emit& e, Expr self, Expr matrix, bool upper, bool transpose,
                                   bool unitriangular) {
  const Expr a = square_matrix(matrix);
  const Expr b = real_matrix(cast(self, a.dtype()));
  const Shape batch = broadcast_shape(e, batch_of(a), batch_of(b));
  const Expr solution = solve_triangular(transpose ? transposed(a) : a, b,
                                         {.upper = upper != transpose, .unit = unitriangular});
  return {solution, expand(a, with_matrix(batch, a.dim(-2), a.dim(-1)))};
}

Expr factor(Emit&, const Expr& self, bool upper, Expr* info = nullptr) {
  const Cholesky made = cholesky(upper ? transposed(self) : self);
  if (info) *info = cast(made.not_positive, DType::i32);
  return upper ? transposed(made.lower) : made.lower;
}

Expr cholesky_factor(Emit& e, Expr self, bool upper) { return factor(e, square_matrix(self), upper); }

std::vector<Expr> linalg_cholesky_ex(Emit& e, Expr self, bool upper, Ignored) {
  Expr info = nullptr;
  const Expr made = factor(e, square_matrix(self), upper, &info);
  return {made, info};
}

Expr cholesky_solve(Emit&, Expr self, Expr factors, bool upper) {
  const Expr a = square_matrix(factors);
  const Expr b = real_matrix(cast(self, a.dtype()));
  const Expr lower = upper ? transposed(a) : a;
  const Expr inner = solve_triangular(lower, b, {.upper = false});
  return solve_triangular(upper ? a : transposed(a), inner, {.upper = true});
}

Expr cholesky_inverse(Emit& e, Expr self, bool upper) {
  square_matrix(self);
  return cholesky_solve(e, identity_matrix(e, self.dim(-1), self.dtype()), self, upper);
}

// Without the factors, which only the gradient needs.
Returns solve_with_factors(Emit& e, Expr A, Expr B, bool left, Ignored) {
  const std::vector<Expr> out = linalg_solve_ex(e, A, B, left, {});
  return {Arg{Tensor(out[0])}, Arg{None{}}, Arg{None{}}, Arg{Tensor(out[1])}};
}

constexpr Declaration kSystems[] = {
    op<solve_with_factors>(
        "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor, "
        "Tensor, Tensor, Tensor)",
        {.doc = "The X with A X = B, or X A = B, and where elimination met its first zero.",
         .sample = "A=f32[batch,6,6], B=f32[batch,6,2]"}),
    op<cholesky_solve>(
        "aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor",
        {.doc = "The X with L L^T X = self.", .sample = "self=f32[batch,6,2], A=f32[batch,6,6]"}),
    op<linalg_solve>("aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
                     {.doc = "The X with A X = B, or X A = B; infinities or NaN if A is singular.",
                      .sample = "A=f32[batch,6,6], B=f32[batch,6,2]"}),
    op<linalg_solve_ex>("aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool "
                        "check_errors=False) -> (Tensor result, Tensor info)",
                        {.doc = "The same, and where elimination met its first zero; nothing is raised.",
                         .sample = "A=f32[batch,6,6], B=f32[batch,6,2]"}),
    op<linalg_solve_triangular>("aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool "
                                "left=True, bool unitriangular=False) -> Tensor",
                                {.doc = "The X with A X = B, or X A = B, for triangular A.",
                                 .sample = "self=f32[batch,6,6], B=f32[batch,6,2]"}),
    op<triangular_solve>(
        "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
        "unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
        {.doc = "The X with A X = self for triangular A.",
         .sample = "self=f32[batch,6,2], A=f32[batch,6,6]"}),
    op<cholesky_factor>("aten::cholesky(Tensor self, bool upper=False) -> Tensor",
                        {.doc = "The L with L L^T = self; NaN if self is not positive definite.",
                         .sample = "self=f32[batch,6,6]"}),
    op<cholesky_factor>("aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
                        {.doc = "The L with L L^T = self; NaN if self is not positive definite.",
                         .sample = "self=f32[batch,6,6]"}),
    op<linalg_cholesky_ex>("aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool "
                           "check_errors=False) -> (Tensor L, Tensor info)",
                           {.doc = "The same, and the first minor that is not positive; nothing is raised.",
                            .sample = "self=f32[batch,6,6]"}),
    op<cholesky_solve>(
        "aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
        {.doc = "The X with L L^T X = self.", .sample = "self=f32[batch,6,2], input2=f32[batch,6,6]"}),
    op<cholesky_inverse>("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
                         {.doc = "The inverse of L L^T.", .sample = "self=f32[batch,6,6]"}),
};

}  // namespace

std::span<const Declaration> systems_ops() { return kSystems; }

}  // namespace cameo::aten
