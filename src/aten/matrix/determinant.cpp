// Determinants, inverses, powers and exponentials of square matrices.
#include <array>
#include <cmath>
#include <limits>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"
#include "aten/matrix/products.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// 2 to this power is a number of f64.
constexpr double kMostSquarings = 1023;

Expr det(Emit&, Expr self) { return lu(square_matrix(self)).determinant; }

std::vector<Expr> slogdet(Emit&, Expr self) {
  const Lu factored = lu(square_matrix(self));
  return {factored.sign, factored.log_size};
}

Expr logdet(Emit&, Expr self) {
  const Lu factored = lu(square_matrix(self));
  const Expr negative = factored.sign < 0;
  return where(negative, self.number(std::numeric_limits<double>::quiet_NaN()), factored.log_size);
}

Expr inverse(Emit&, Expr self) { return inverse_of(square_matrix(self)); }

std::vector<Expr> inverse_ex(Emit& e, Expr self, Ignored) { return {inverse(e, self), first_zero(self)}; }

Expr matrix_power(Emit& e, Expr self, std::int64_t n) {
  if (self.rank() < 2) throw ProgramError("the input must be a matrix");
  const DType inside = calculable(self.dtype());
  if (n == 0) return expand(identity_matrix(e, self.dim(-1), self.dtype()), self.shape());
  Expr square = cast(n < 0 ? inverse(e, self) : self, inside);
  Expr power = nullptr;
  for (std::int64_t left = std::abs(n);;) {
    if (left % 2 != 0) power = power.value ? matrix_product(e, power, square) : square;
    left /= 2;
    if (left == 0) return cast(power, self.dtype());
    square = matrix_product(e, square, square);
  }
}

// 1 + x + x² / 2 + … + x^15 / 15!, in six products: a polynomial of degree 3 in x⁴ whose coefficients are
// polynomials of degree 3 in x. The rest is below the precision of f64 for norms up to 1/2.
Expr exponential_series(Emit& e, const Expr& x) {
  const Expr one = identity_matrix(e, x.dim(-1), x.dtype());
  const Expr x2 = matrix_product(e, x, x), x3 = matrix_product(e, x2, x), x4 = matrix_product(e, x2, x2);
  std::array<double, 16> inverse_factorials{1};
  for (std::size_t n = 1; n < 16; ++n)
    inverse_factorials[n] = inverse_factorials[n - 1] / static_cast<double>(n);
  const auto block = [&](std::size_t n) {
    const double* c = &inverse_factorials[4 * n];
    return one * c[0] + x * c[1] + x2 * c[2] + x3 * c[3];
  };
  Expr sum = block(3);
  for (std::size_t n = 3; n-- > 0;) sum = block(n) + matrix_product(e, sum, x4);
  return sum;
}

// exp(A) = exp(A / 2^s)^(2^s), with the least s of each matrix for which the norm of A / 2^s is at most 1/2.
Expr matrix_exp(Emit& e, Expr self) {
  square_matrix(self);
  const Expr a = cast(self, DType::f64);
  const Expr norm = sqrt(reduce_sum(a * a, {a.rank() - 2, a.rank() - 1}, true));
  const Expr doublings = ceil(log(norm) / std::log(2.0)) + 1;
  const Expr squarings = cast(clip(where(norm > 0.5, doublings, 0), 0, kMostSquarings), DType::i64);
  const Expr start = exponential_series(e, a / power(norm.number(2), cast(squarings, DType::f64)));
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    return {{where(squarings > k, matrix_product(e, carried[0], carried[0]), carried[0])}, {}};
  };
  return cast(counted_loop(e, "squarings", largest_count(squarings, 0), {start}, turn).carried[0],
              self.dtype());
}

Expr tensorinv(Emit&, Expr self, std::int64_t ind) {
  if (ind <= 0 || ind > self.rank()) throw ProgramError("'ind' is not a number of dimensions");
  const auto split = self.shape().begin() + ind;
  const Shape first(self.shape().begin(), split);
  Shape result(split, self.shape().end());
  const Dim rows = result.product();
  result.insert(result.end(), first.begin(), first.end());
  const Expr matrix = reshape(self, {first.product(), rows});
  return reshape(inverse_of(square_matrix(matrix)), result);
}

Expr tensorsolve(Emit&, Expr self, Expr other, std::optional<std::vector<std::int64_t>> dims) {
  std::vector<std::int64_t> order = all_axes(self);
  for (std::int64_t dim : dims.value_or(std::vector<std::int64_t>{})) {
    std::erase(order, self.wrap(dim));
    order.push_back(self.wrap(dim));
  }
  const Expr moved = transpose(self, order);
  if (other.rank() > moved.rank()) throw ProgramError("the right-hand side has too many dimensions");
  const Shape result(moved.shape().begin() + other.rank(), moved.shape().end());
  const Dim size = result.product();
  const Expr matrix = reshape(moved, {size, size});
  const Expr column = reshape(cast(other, self.dtype()), {size, 1});
  return reshape(solve(square_matrix(matrix), column), result);
}

// Without the factors, which only the gradient needs.
Returns det_with_factors(Emit& e, Expr A) { return {Arg{Tensor(det(e, A))}, Arg{None{}}, Arg{None{}}}; }
Returns slogdet_with_factors(Emit& e, Expr A) {
  const std::vector<Expr> out = slogdet(e, A);
  return {Arg{Tensor(out[0])}, Arg{Tensor(out[1])}, Arg{None{}}, Arg{None{}}};
}

constexpr Declaration kDeterminant[] = {
    op<det_with_factors>("aten::_linalg_det(Tensor A) -> (Tensor, Tensor, Tensor)",
                         {.doc = "The determinant of square matrices.", .sample = "A=f32[batch,6,6]"}),
    op<slogdet_with_factors>("aten::_linalg_slogdet(Tensor A) -> (Tensor, Tensor, Tensor, Tensor)",
                             {.doc = "Sign and logarithm of the absolute value of the determinant.",
                              .sample = "A=f32[batch,6,6]"}),
    op<det>("aten::det(Tensor self) -> Tensor",
            {.doc = "The determinant of square matrices.", .sample = "self=f32[batch,6,6]"}),
    op<det>("aten::linalg_det(Tensor A) -> Tensor",
            {.doc = "The determinant of square matrices.", .sample = "A=f32[batch,6,6]"}),
    op<logdet>(
        "aten::logdet(Tensor self) -> Tensor",
        {.doc = "The logarithm of the determinant; NaN if it is negative.", .sample = "self=f32[batch,6,6]"}),
    op<slogdet>("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)",
                {.doc = "Sign and logarithm of the absolute value of the determinant.",
                 .sample = "self=f32[batch,6,6]"}),
    op<slogdet>("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
                {.doc = "Sign and logarithm of the absolute value of the determinant.",
                 .sample = "A=f32[batch,6,6]"}),
    op<inverse>("aten::inverse(Tensor self) -> Tensor",
                {.doc = "The inverse of square matrices; infinities or NaN if there is none.",
                 .sample = "self=f32[batch,6,6]"}),
    op<inverse>("aten::linalg_inv(Tensor A) -> Tensor",
                {.doc = "The inverse of square matrices; infinities or NaN if there is none.",
                 .sample = "A=f32[batch,6,6]"}),
    op<inverse_ex>(
        "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
        {.doc = "The inverse, and where elimination met its first zero; nothing is raised.",
         .sample = "A=f32[batch,6,6]"}),
    op<matrix_power>("aten::matrix_power(Tensor self, int n) -> Tensor",
                     {.doc = "The product of n equal matrices; of their inverses if n is negative.",
                      .aliases = {"aten::linalg_matrix_power"},
                      .sample = "self=f32[batch,6,6], n=3"}),
    op<matrix_exp>("aten::linalg_matrix_exp(Tensor self) -> Tensor",
                   {.doc = "The exponential of square matrices: 1 + A + A^2 / 2 + A^3 / 6 + …",
                    .aliases = {"aten::matrix_exp"},
                    .sample = "self=f32[batch,6,6]"}),
    op<tensorinv>("aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor",
                  {.doc = "The inverse for tensordot, the first `ind` dimensions being the rows.",
                   .sample = "self=f32[2,3,6]"}),
    op<tensorsolve>(
        "aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor",
        {.doc = "The x with tensordot(self, x) = other.", .sample = "self=f32[2,3,6], other=f32[2,3]"}),
};

}  // namespace

std::span<const Declaration> determinant_ops() { return kDeterminant; }

}  // namespace cameo::aten
