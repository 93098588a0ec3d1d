// Orthogonal factors, made of Householder's reflections as LAPACK makes them.
#include <fmt/format.h>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"
#include "aten/matrix/matrices.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

using onnx::Value;

struct Reflections {
  Value* packed;   // R, and below it the vectors, whose first elements are 1
  Value* factors;  // […, min(m, n)]
};

// matrix - factor v (v^T matrix)
Real reflect(Real matrix, Real v, Real factor) {
  Emit& e = *matrix.e;
  const Real shadow{&e, e.op("MatMul", {transposed(e, v.value), matrix.value})};
  return matrix - factor * v * shadow;
}

// The column below the k-th element, a one in its place and zeros above it.
Real reflector(Real column, Value* row, Value* k) {
  Emit& e = *column.e;
  const Truth below{&e, e.op("Greater", {row, k})};
  const Real one{&e, e.cast(e.op("Equal", {row, k}), column.value->dtype())};
  return where(below, column, one);
}

Reflections factor(Emit& e, const Tensor& matrix) {
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  Value* row = e.unsqueeze(indices(e, matrix.dim(-2)), {1});
  Value* column = indices(e, matrix.dim(-1));
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    const Real x{&e, carried[0]};
    Value* at = e.reshape(k, {1});
    const Real now{&e, e.gather(x.value, at, columns)}, top{&e, e.gather(now.value, at, rows)};
    const Truth below{&e, e.op("Greater", {row, k})}, here{&e, e.op("Equal", {column, k})},
        right{&e, e.op("Greater", {column, k})}, first{&e, e.op("Equal", {row, k})};
    const Real rest = where(below, now, 0);
    const Real squares{&e, reduce(e, "ReduceSum", (rest * rest).value, {rows}, true)};
    const Real size = sqrt(top * top + squares);
    const Truth done = equal(squares, 0);
    const Real made = where(done, top, where(top < 0, size, -size));
    const Real tau = where(done, 0, (made - top) / made);
    const Real v = reflector(now / where(done, 1, top - made), row, k);
    const Real in_column = where(below, v, where(first, made, x));
    return {{where(right, reflect(x, v, tau), where(here, in_column, x)).value}, {tau.value}};
  };
  const Dim turns = e.simplify(sym::min(matrix.dim(-2), matrix.dim(-1)));
  const TurnResults done = counted_loop(e, "reflections", turns, {matrix}, turn);
  return {done.carried[0], gathered_last(e, done.gathered[0])};
}

enum class Order { first_to_last, last_to_first };

// What the reflections, one after the other, make of a matrix.
Value* applied(Emit& e, const Tensor& packed, const Tensor& factors, Value* matrix, Order order) {
  const Dim number = factors.dim(-1);
  Value* row = e.unsqueeze(indices(e, packed.dim(-2)), {1});
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    if (order == Order::last_to_first) k = e.op("Sub", {e.dim(number - 1), k});
    Value* at = e.reshape(k, {1});
    const Real v = reflector({&e, e.gather(packed, at, packed.rank() - 1)}, row, k);
    const Real tau{&e, e.unsqueeze(e.gather(factors, at, factors.rank() - 1), {factors.rank()})};
    return {{reflect({&e, carried[0]}, v, tau).value}, {}};
  };
  return counted_loop(e, "reflections", number, {matrix}, turn).carried[0];
}

// The first `count` columns of the reflections' product.
Value* product(Emit& e, const Tensor& packed, const Tensor& factors, const Dim& count) {
  const Dim size = packed.dim(-2);
  Value* row = e.unsqueeze(indices(e, size), {1});
  Value* start = e.cast(e.op("Equal", {row, indices(e, count)}), packed.dtype());
  start = e.expand(start, with_matrix(batch_of(packed), size, count));
  return applied(e, packed, factors, start, Order::last_to_first);
}

std::vector<Tensor> factors_of(Emit& e, const Tensor& self, bool complete, bool only_r) {
  const Reflections made = factor(e, real_matrix(self));
  const Dim rows = self.dim(-2), size = e.simplify(sym::min(rows, self.dim(-1)));
  Value* upper =
      triangle_of(e, complete ? made.packed : e.slice(made.packed, self.rank() - 2, 0, size), true);
  if (only_r) return {filled(e, like(e, self, 0), {0}), upper};
  return {product(e, made.packed, made.factors, complete ? rows : size), upper};
}

std::vector<Tensor> linalg_qr(Emit& e, Tensor self, std::string mode) {
  if (mode != "reduced" && mode != "complete" && mode != "r")
    throw ProgramError(fmt::format("the mode '{}' is unknown", mode));
  return factors_of(e, self, mode == "complete", mode == "r");
}

std::vector<Tensor> qr(Emit& e, Tensor self, bool some) { return factors_of(e, self, !some, false); }

std::vector<Tensor> geqrf(Emit& e, Tensor self) {
  const Reflections made = factor(e, real_matrix(self));
  return {made.packed, made.factors};
}

Tensor householder_product(Emit& e, Tensor self, Tensor factors) {
  return product(e, real_matrix(self), e.cast(factors, self.dtype()), self.dim(-1));
}

Tensor ormqr(Emit& e, Tensor self, Tensor factors, Tensor other, bool left, bool transpose) {
  const Tensor packed = real_matrix(self);
  const Tensor tau = e.cast(factors, self.dtype()), matrix = e.cast(other, self.dtype());
  const Order order = left == transpose ? Order::first_to_last : Order::last_to_first;
  if (left) return applied(e, packed, tau, matrix, order);
  return transposed(e, applied(e, packed, tau, transposed(e, matrix), order));
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
