// The factors of elimination with exchanged rows, packed and unpacked.
#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// LAPACK counts them from 1.
Value* as_pivots(Emit& e, const Lu& factored) {
  return e.cast(e.op("Add", {factored.pivots, e.dim(1)}), DType::i32);
}

std::vector<Tensor> lu_factor(Emit& e, Tensor self, bool pivot) {
  const Lu factored = lu(e, real_matrix(self), pivot);
  return {factored.packed, as_pivots(e, factored)};
}

std::vector<Tensor> lu_factor_ex(Emit& e, Tensor self, bool pivot, Ignored) {
  const Lu factored = lu(e, real_matrix(self), pivot);
  return {factored.packed, as_pivots(e, factored), e.cast(factored.zero_pivot, DType::i32)};
}

// What the exchanges, done one after the other, make of the order of `rows` rows.
Value* order_of(Emit& e, const Tensor& pivots, const Dim& rows) {
  const Tensor places = e.op("Sub", {e.cast(pivots, DType::i64), e.dim(1)});
  const std::int64_t last = places.rank() - 1;
  Value* row = e.unsqueeze(indices(e, rows), {1});
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    Value* other = e.unsqueeze(e.gather(places, e.reshape(k, {1}), last), {last + 1});
    Value* exchanged = e.op("Where", {e.op("Equal", {row, other}), k, row});
    exchanged = e.op("Where", {e.op("Equal", {row, k}), other, exchanged});
    return {{rows_in_order(e, exchanged, carried[0])}, {}};
  };
  const Shape batch(places.shape().begin(), places.shape().end() - 1);
  Value* start = e.expand(row, with_matrix(batch, rows, 1));
  return counted_loop(e, "exchanges", places.dim(last), {start}, turn).carried[0];
}

struct Unpacked {
  Value* lower;
  Value* upper;
};

Unpacked unpack(Emit& e, const Tensor& packed) {
  const Dim size = e.simplify(sym::min(packed.dim(-2), packed.dim(-1)));
  const std::int64_t rows = packed.rank() - 2;
  const Tensor left = e.slice(packed, rows + 1, 0, size);
  Value* diagonal = e.op("Equal", {e.unsqueeze(indices(e, packed.dim(-2)), {1}), indices(e, size)});
  Value* lower = e.op("Where", {diagonal, like(e, packed, 1), triangle_of(e, left, false)});
  return {lower, triangle_of(e, e.slice(packed, rows, 0, size), true)};
}

// The matrix that puts row i of what it multiplies at place order[i].
Value* permutation(Emit& e, const Tensor& order, DType dtype) {
  Value* row = e.unsqueeze(indices(e, order.dim(-2)), {1});
  return e.cast(e.op("Equal", {row, transposed(e, order)}), dtype);
}

Value* nothing(Emit& e, const Tensor& like_this) { return filled(e, like(e, like_this, 0), {0}); }

std::vector<Tensor> linalg_lu(Emit& e, Tensor self, bool pivot) {
  const Lu factored = lu(e, real_matrix(self), pivot);
  const Unpacked parts = unpack(e, factored.packed);
  return {pivot ? permutation(e, factored.order, self.dtype()) : nothing(e, self), parts.lower, parts.upper};
}

std::vector<Tensor> lu_unpack(Emit& e, Tensor packed, Tensor pivots, bool unpack_data, bool unpack_pivots) {
  real_matrix(packed);
  const Unpacked parts = unpack_data ? unpack(e, packed) : Unpacked{nothing(e, packed), nothing(e, packed)};
  Value* order = unpack_pivots ? permutation(e, order_of(e, pivots, packed.dim(-2)), packed.dtype())
                               : nothing(e, packed);
  return {order, parts.lower, parts.upper};
}

// The X with A^T X = right, A being what was factored.
Value* solve_adjoint(Emit& e, const Tensor& packed, Value* order, const Tensor& right) {
  Value* flipped = transposed(e, packed);
  Value* inner = solve_triangular(e, flipped, right, {.upper = false});
  const Tensor rows = solve_triangular(e, flipped, inner, {.upper = true, .unit = true});
  return e.op("ScatterElements", {rows, e.expand(order, rows.shape()), rows}, {{"axis", rows.rank() - 2}});
}

Tensor linalg_lu_solve(Emit& e, Tensor packed, Tensor pivots, Tensor right, bool left, bool adjoint) {
  square_matrix(e, packed);
  const Tensor b = real_matrix(e.cast(right, packed.dtype()));
  Value* order = order_of(e, pivots, packed.dim(-2));
  Value* start = left ? b.value : transposed(e, b);
  Value* x =
      left == adjoint ? solve_adjoint(e, packed, order, start) : solve_factored(e, packed, order, start);
  return left ? x : transposed(e, x);
}

Tensor lu_solve(Emit& e, Tensor self, Tensor packed, Tensor pivots) {
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
