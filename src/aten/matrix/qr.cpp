// Orthogonal factors, made of Householder's reflections as LAPACK makes them.
#include <fmt/core.h>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"
#include "aten/matrix/matrices.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

struct Reflections {
  Expr packed;   // R, and below it the vectors, whose first elements are 1
  Expr factors;  // […, min(m, n)]
};

// matrix - factor v (v^T matrix)
Expr reflect(Expr matrix, Expr v, Expr factor) {
  const Expr shadow = matmul(transposed(v), matrix);
  return matrix - factor * v * shadow;
}

// The column below the k-th element, a one in its place and zeros above it.
Expr reflector(Expr column, Expr row, Expr k) {
  const Expr below = row > k;
  const Expr one = cast(equal(row, k), column->dtype());
  return where(below, column, one);
}

Reflections factor(Emit& e, const Expr& matrix) {
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  const Expr row = unsqueeze(indices(e, matrix.dim(-2)), {1});
  const Expr column = indices(e, matrix.dim(-1));
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    const Expr x = carried[0];
    const Expr at = reshape(k, {1});
    const Expr now = gather(x, at, columns), top = gather(now, at, rows);
    const Expr below = row > k, here = equal(column, k), right = column > k, first = equal(row, k);
    const Expr rest = where(below, now, 0);
    const Expr squares = reduce_sum(rest * rest, {rows}, true);
    const Expr size = sqrt(top * top + squares);
    const Expr done = equal(squares, 0);
    const Expr made = where(done, top, where(top < 0, size, -size));
    const Expr tau = where(done, 0, (made - top) / made);
    const Expr v = reflector(now / where(done, 1, top - made), row, k);
    const Expr in_column = where(below, v, where(first, made, x));
    return {{where(right, reflect(x, v, tau), where(here, in_column, x))}, {tau}};
  };
  const Dim turns = e.simplify(sym::min(matrix.dim(-2), matrix.dim(-1)));
  const TurnResults done = counted_loop(e, "reflections", turns, {matrix}, turn);
  return {done.carried[0], gathered_last(done.gathered[0])};
}

enum class Order { first_to_last, last_to_first };

// A matrix after the reflections, one after the other.
Expr applied(Emit& e, const Expr& packed, const Expr& factors, Expr matrix, Order order) {
  const Dim number = factors.dim(-1);
  const Expr row = unsqueeze(indices(e, packed.dim(-2)), {1});
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    if (order == Order::last_to_first) k = number - 1 - k;
    const Expr at = reshape(k, {1});
    const Expr v = reflector(gather(packed, at, packed.rank() - 1), row, k);
    const Expr tau = unsqueeze(gather(factors, at, factors.rank() - 1), {factors.rank()});
    return {{reflect(carried[0], v, tau)}, {}};
  };
  return counted_loop(e, "reflections", number, {matrix}, turn).carried[0];
}

// The first `count` columns of the reflections' product.
Expr product(Emit& e, const Expr& packed, const Expr& factors, const Dim& count) {
  const Dim size = packed.dim(-2);
  const Expr row = unsqueeze(indices(e, size), {1});
  Expr start = cast(equal(row, indices(e, count)), packed.dtype());
  start = expand(start, with_matrix(batch_of(packed), size, count));
  return applied(e, packed, factors, start, Order::last_to_first);
}

std::vector<Expr> factors_of(Emit& e, const Expr& self, bool complete, bool only_r) {
  const Reflections made = factor(e, real_matrix(self));
  const Dim rows = self.dim(-2), size = e.simplify(sym::min(rows, self.dim(-1)));
  const Expr upper = triangle_of(complete ? made.packed : slice(made.packed, self.rank() - 2, 0, size), true);
  if (only_r) return {filled(self.number(0), {0}), upper};
  return {product(e, made.packed, made.factors, complete ? rows : size), upper};
}

std::vector<Expr> linalg_qr(Emit& e, Expr self, std::string mode) {
  if (mode != "reduced" && mode != "complete" && mode != "r")
    throw ProgramError(fmt::format("the mode '{}' is unknown", mode));
  return factors_of(e, self, mode == "complete", mode == "r");
}

std::vector<Expr> qr(Emit& e, Expr self, bool some) { return factors_of(e, self, !some, false); }

std::vector<Expr> geqrf(Emit& e, Expr self) {
  const Reflections made = factor(e, real_matrix(self));
  return {made.packed, made.factors};
}

Expr householder_product(Emit& e, Expr self, Expr factors) {
  return product(e, real_matrix(self), cast(factors, self.dtype()), self.dim(-1));
}

Expr ormqr(Emit& e, Expr self, Expr factors, Expr other, bool left, bool transpose) {
  const Expr packed = real_matrix(self);
  const Expr tau = cast(factors, self.dtype()), matrix = cast(other, self.dtype());
  const Order order = left == transpose ? Order::first_to_last : Order::last_to_first;
  if (left) return applied(e, packed, tau, matrix, order);
  return transposed(applied(e, packed, tau, transposed(matrix), order));
}

constexpr Declaration kQr[] = {
    op<linalg_qr>("aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)",
                  {.doc = "The orthogonal and the upper triangular matrix whose product A is."}),
    op<qr>("aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)",
           {.doc = "The orthogonal and the upper triangular matrix whose product A is."}),
    op<geqrf>("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)",
              {.doc = "R, the vectors of the reflections below it, and their factors."}),
    op<householder_product>("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
                            {.doc = "The product of reflections, as columns.",
                             .sample = "input=f32[batch,8,6], tau=f32[batch,6]"}),
    op<householder_product>("aten::orgqr(Tensor self, Tensor input2) -> Tensor",
                            {.doc = "The product of reflections, as columns.",
                             .sample = "self=f32[batch,8,6], input2=f32[batch,6]"}),
    op<ormqr>("aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) "
              "-> Tensor",
              {.doc = "A matrix times the product of reflections, or of its transpose.",
               .sample = "self=f32[batch,8,6], input2=f32[batch,6], input3=f32[batch,8,3]"}),
};

}  // namespace

std::span<const Declaration> qr_ops() { return kQr; }

}  // namespace cameo::aten
