// The factors of elimination with exchanged rows, packed and unpacked.
#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"

namespace cameo::aten {
namespace {

// LAPACK counts them from 1.
Expr as_pivots(const Lu& factored) { return cast(factored.pivots + 1, DType::i32); }

std::vector<Expr> lu_factor(Emit&, Expr self, bool pivot) {
  const Lu factored = lu(real_matrix(self), pivot);
  return {factored.packed, as_pivots(factored)};
}

std::vector<Expr> lu_factor_ex(Emit&, Expr self, bool pivot, Ignored) {
  const Lu factored = lu(real_matrix(self), pivot);
  return {factored.packed, as_pivots(factored), cast(factored.zero_pivot, DType::i32)};
}

// The order of `rows` rows after the exchanges, one after the other.
Expr order_of(Emit& e, const Expr& pivots, const Dim& rows) {
  const Expr places = cast(pivots, DType::i64) - 1;
  const std::int64_t last = places.rank() - 1;
  const Expr row = unsqueeze(indices(e, rows), {1});
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    const Expr other = unsqueeze(gather(places, reshape(k, {1}), last), {last + 1});
    Expr exchanged = where(equal(row, other), k, row);
    exchanged = where(equal(row, k), other, exchanged);
    return {{rows_in_order(exchanged, carried[0])}, {}};
  };
  const Shape batch(places.shape().begin(), places.shape().end() - 1);
  const Expr start = expand(row, with_matrix(batch, rows, 1));
  return counted_loop(e, "exchanges", places.dim(last), {start}, turn).carried[0];
}

struct Unpacked {
  Expr lower;
  Expr upper;
};

Unpacked unpack(Emit& e, const Expr& packed) {
  const Dim size = e.simplify(sym::min(packed.dim(-2), packed.dim(-1)));
  const std::int64_t rows = packed.rank() - 2;
  const Expr left = slice(packed, rows + 1, 0, size);
  const Expr diagonal = equal(unsqueeze(indices(e, packed.dim(-2)), {1}), indices(e, size));
  const Expr lower = where(diagonal, 1, triangle_of(left, false));
  return {lower, triangle_of(slice(packed, rows, 0, size), true)};
}

// The matrix that puts row i of what it multiplies at place order[i].
Expr permutation(Emit& e, const Expr& order, DType dtype) {
  const Expr row = unsqueeze(indices(e, order.dim(-2)), {1});
  return cast(equal(row, transposed(order)), dtype);
}

Expr nothing(const Expr& like_this) { return filled(like_this.number(0), {0}); }

std::vector<Expr> linalg_lu(Emit& e, Expr self, bool pivot) {
  const Lu factored = lu(real_matrix(self), pivot);
  const Unpacked parts = unpack(e, factored.packed);
  return {pivot ? permutation(e, factored.order, self.dtype()) : nothing(self), parts.lower, parts.upper};
}

std::vector<Expr> lu_unpack(Emit& e, Expr packed, Expr pivots, bool unpack_data, bool unpack_pivots) {
  real_matrix(packed);
  const Unpacked parts = unpack_data ? unpack(e, packed) : Unpacked{nothing(packed), nothing(packed)};
  const Expr order =
      unpack_pivots ? permutation(e, order_of(e, pivots, packed.dim(-2)), packed.dtype()) : nothing(packed);
  return {order, parts.lower, parts.upper};
}

// The X with A^T X = right, A being what was factored.
Expr solve_adjoint(Emit& e, const Expr& packed, Expr order, const Expr& right) {
  const Expr flipped = transposed(packed);
  const Expr inner = solve_triangular(flipped, right, {.upper = false});
  const Expr rows = solve_triangular(flipped, inner, {.upper = true, .unit = true});
  return e.op("ScatterElements", {rows, expand(order, rows.shape()), rows}, {{"axis", rows.rank() - 2}});
}

Expr linalg_lu_solve(Emit& e, Expr packed, Expr pivots, Expr right, bool left, bool adjoint) {
  square_matrix(packed);
  const Expr b = real_matrix(cast(right, packed.dtype()));
  const Expr order = order_of(e, pivots, packed.dim(-2));
  const Expr start = left ? b : transposed(b);
  const Expr x =
      left == adjoint ? solve_adjoint(e, packed, order, start) : solve_factored(packed, order, start);
  return left ? x : transposed(x);
}

Expr lu_solve(Emit& e, Expr self, Expr packed, Expr pivots) {
  return linalg_lu_solve(e, packed, pivots, self, true, false);
}

constexpr Declaration kLu[] = {
    op<linalg_lu>("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
                  {.doc = "The permutation, lower and upper triangular matrices whose product A is."}),
    op<lu_factor>("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
                  {.doc = "Both triangular factors in one matrix, and which rows were exchanged."}),
    op<lu_factor_ex>("aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> "
                     "(Tensor LU, Tensor pivots, Tensor info)",
                     {.doc = "The same, and where elimination met its first zero; nothing is raised."}),
    op<lu_factor_ex>("aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor "
                     "LU, Tensor pivots, Tensor info)",
                     {.doc = "The same, and where elimination met its first zero; nothing is raised."}),
    op<lu_unpack>("aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
                  "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
                  {.doc = "The three factors of what lu_factor gave.",
                   .sample = "LU_data=f32[batch,6,6], LU_pivots=i32[batch,6]"}),
    op<linalg_lu_solve>("aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool "
                        "adjoint=False) -> Tensor",
                        {.doc = "The X with A X = B, X A = B or the same with A^T, for a factored A.",
                         .sample = "LU=f32[batch,6,6], pivots=i32[batch,6], B=f32[batch,6,2]"}),
    op<lu_solve>("aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
                 {.doc = "The X with A X = self, for a factored A.",
                  .sample = "self=f32[batch,6,2], LU_data=f32[batch,6,6], LU_pivots=i32[batch,6]"}),
};

}  // namespace

std::span<const Declaration> lu_ops() { return kLu; }

}  // namespace cameo::aten
