#include "aten/matrix/matrices.h"

#include <fmt/core.h>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/support.h"

namespace cameo::aten {

Shape batch_of(const Expr& matrix) { return {matrix.shape().begin(), matrix.shape().end() - 2}; }

Shape with_matrix(Shape batch, const Dim& rows, const Dim& columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

Expr real_matrix(const Expr& self) {
  if (self.rank() < 2) throw ProgramError("the input must be a matrix");
  if (!is_floating(self.dtype())) throw ProgramError("integers are not supported");
  if (self.dtype() != DType::f32 && self.dtype() != DType::f64)
    throw Unsupported("half precision is not supported");
  return self;
}

Expr square_matrix(const Expr& self) {
  Emit& e = *self.e;
  real_matrix(self);
  if (e.sym().equal(self.dim(-2), self.dim(-1)) == sym::Truth::no)
    throw ProgramError(fmt::format("the input must be square matrices, but they are {} by {}",
                                   to_string(self.dim(-2)), to_string(self.dim(-1))));
  return self;
}

Expr transposed(const Expr& matrix) {
  std::vector<std::int64_t> perm = all_axes(matrix);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return transpose(matrix, perm);
}

Expr triangle_of(Expr matrix, bool upper, std::int64_t offset) {
  Emit& e = *matrix.e;
  return compute(e, "Trilu", {matrix, e.dim(offset)}, {{"upper", std::int64_t{upper}}});
}

Expr identity_matrix(Emit& e, const Dim& size, DType dtype) {
  const Expr index = indices(e, size);
  return cast(equal(unsqueeze(index, {1}), index), dtype);
}

Expr rows_in_order(Expr order, const Expr& matrix) {
  return gather_elements(matrix, expand(order, matrix.shape()), matrix.rank() - 2);
}

Expr gathered_last(const Expr& numbers) {
  const std::int64_t last = numbers.rank() - 1;
  std::vector<std::int64_t> perm;
  for (std::int64_t axis = 1; axis < last - 1; ++axis) perm.push_back(axis);
  perm.push_back(0);
  return transpose(squeeze(numbers, {last - 1, last}), perm);
}

Lu lu(const Expr& matrix, bool pivot) {
  Emit& e = *matrix.e;
  const Dim turns = e.simplify(sym::min(matrix.dim(-2), matrix.dim(-1)));
  const Shape batch = batch_of(matrix), one = with_matrix(batch, 1, 1);
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  const Expr row = unsqueeze(indices(e, matrix.dim(-2)), {1});
  const Expr column = indices(e, matrix.dim(-1));
  const auto number = [&](double value) { return matrix.number(value); };

  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    Expr x = carried[0], order = carried[1], at = reshape(k, {1});
    Expr found = expand(at, one);
    if (pivot) {
      const Expr sizes = abs(gather(x, at, columns));
      const Expr candidates = where(row < k, number(-1), sizes);
      found = e.op("ArgMax", {candidates}, {{"axis", rows}, {"keepdims", std::int64_t{1}}});
      Expr exchanged = where(equal(row, found), k, row);
      exchanged = where(equal(row, k), found, exchanged);
      x = rows_in_order(exchanged, x);
      order = rows_in_order(exchanged, order);
    }
    const Expr chosen = gather(x, at, rows);
    const Expr top = gather(chosen, at, columns);
    const Expr is_zero = equal(top, number(0));
    const Expr factors = gather(x, at, columns) / where(is_zero, number(1), top);
    const Expr rest = x - factors * chosen;
    const Expr below = row > k;
    x = where(below && equal(column, k), factors, x);
    x = where(below && column > k, rest, x);

    const Expr turned = where(equal(found, k), number(1), number(-1));
    const Expr first_zero = is_zero && equal(carried[5], 0);
    return {{x, order, carried[2] * (top * turned), carried[3] * (sign(top) * turned),
             carried[4] + log(abs(top)), where(first_zero, k + 1, carried[5])},
            {found}};
  };
  const Expr ones = filled(number(1), one);
  const TurnResults done = counted_loop(e, "columns", turns,
                                        {matrix, expand(row, with_matrix(batch, matrix.dim(-2), 1)), ones,
                                         ones, filled(number(0), one), filled(e.dim(0), one)},
                                        turn);
  const auto single = [&](Expr value) { return reshape(value, batch); };
  return {done.carried[0],         done.carried[1],         gathered_last(done.gathered[0]),
          single(done.carried[2]), single(done.carried[3]), single(done.carried[4]),
          single(done.carried[5])};
}

Cholesky cholesky(const Expr& matrix) {
  Emit& e = *matrix.e;
  const Shape batch = batch_of(matrix);
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  const Expr column = indices(e, matrix.dim(-1));
  const Expr row = unsqueeze(column, {1});
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    Expr x = carried[0], at = reshape(k, {1});
    const Expr now = gather(x, at, columns);
    const Expr top = gather(now, at, rows);
    const Expr root = sqrt(top);
    const Expr above = where(equal(row, k), root, 0);
    const Expr made = where(row > k, now / root, above);
    const Expr rest = x - made * transposed(made);
    x = where(column > k, rest, x);
    x = where(equal(column, k), made, x);
    const Expr positive = top > 0;
    const Expr keeps = positive || carried[1] > 0;
    return {{x, where(keeps, carried[1], k + 1)}, {}};
  };
  const TurnResults done =
      counted_loop(e, "columns", matrix.dim(-1), {matrix, filled(e.dim(0), with_matrix(batch, 1, 1))}, turn);
  return {triangle_of(done.carried[0], false), reshape(done.carried[1], batch)};
}

Expr solve_triangular(const Expr& matrix, const Expr& right, Triangle triangle) {
  Emit& e = *matrix.e;
  const Dim size = matrix.dim(-1);
  const Shape batch = broadcast_shape(e, batch_of(matrix), batch_of(right));
  const Expr start = expand(right, with_matrix(batch, right.dim(-2), right.dim(-1)));
  const Expr row = unsqueeze(indices(e, size), {1});
  const auto turn = [&](Expr k, const std::vector<Expr>& carried) -> TurnResults {
    if (triangle.upper) k = size - 1 - k;
    Expr x = carried[0], at = reshape(k, {1});
    const Expr column = gather(matrix, at, matrix.rank() - 1);
    Expr known = gather(x, at, x.rank() - 2);
    if (!triangle.unit) known = known / gather(column, at, matrix.rank() - 2);
    const Expr rest = x - column * known;
    x = where(equal(row, k), known, x);
    return {{where(e.op(triangle.upper ? "Less" : "Greater", {row, k}), rest, x)}, {}};
  };
  return counted_loop(e, "rows", size, {start}, turn).carried[0];
}

Expr solve_factored(Expr packed, Expr order, const Expr& right) {
  Emit& e = *packed.e;
  const Shape batch = broadcast_shape(e, batch_of(packed), batch_of(right));
  const Expr start = expand(right, with_matrix(batch, right.dim(-2), right.dim(-1)));
  const Expr reordered = rows_in_order(order, start);
  const Expr inner = solve_triangular(packed, reordered, {.upper = false, .unit = true});
  return solve_triangular(packed, inner, {.upper = true});
}

Expr solve(const Expr& matrix, const Expr& right) {
  const Lu factored = lu(matrix);
  return solve_factored(factored.packed, factored.order, right);
}

Expr first_zero(const Expr& matrix) { return cast(lu(transposed(matrix)).zero_pivot, DType::i32); }

Expr inverse_of(const Expr& matrix) {
  Emit& e = *matrix.e;
  return solve(matrix, identity_matrix(e, matrix.dim(-1), matrix.dtype()));
}

}  // namespace cameo::aten
