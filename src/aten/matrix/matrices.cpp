#include "aten/matrix/matrices.h"

#include <fmt/format.h>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/support.h"

namespace cameo::aten {

using onnx::Value;

Shape batch_of(const Tensor& matrix) { return {matrix.shape().begin(), matrix.shape().end() - 2}; }

Shape with_matrix(Shape batch, const Dim& rows, const Dim& columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

Tensor real_matrix(const Tensor& self) {
  if (is_complex(self.dtype())) throw Unsupported("complex numbers are not supported");
  if (self.rank() < 2) throw ProgramError("the input must be a matrix");
  if (!is_floating(self.dtype())) throw ProgramError("integers are not supported");
  if (self.dtype() != DType::f32 && self.dtype() != DType::f64)
    throw Unsupported("half precision is not supported");
  return self;
}

Tensor square_matrix(Emit& e, const Tensor& self) {
  real_matrix(self);
  if (e.sym().equal(self.dim(-2), self.dim(-1)) == sym::Truth::no)
    throw ProgramError(fmt::format("the input must be square matrices, but they are {} by {}",
                                   to_string(self.dim(-2)), to_string(self.dim(-1))));
  return self;
}

Value* transposed(Emit& e, const Tensor& matrix) {
  std::vector<std::int64_t> perm = all_axes(matrix);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return e.transpose(matrix, perm);
}

Value* triangle_of(Emit& e, Value* matrix, bool upper, std::int64_t offset) {
  return compute(e, "Trilu", {matrix, e.dim(offset)}, {{"upper", std::int64_t{upper}}});
}

Value* identity_matrix(Emit& e, const Dim& size, DType dtype) {
  Value* index = indices(e, size);
  return e.cast(e.op("Equal", {e.unsqueeze(index, {1}), index}), dtype);
}

Value* rows_in_order(Emit& e, Value* order, const Tensor& matrix) {
  return e.op("GatherElements", {matrix, e.expand(order, matrix.shape())}, {{"axis", matrix.rank() - 2}});
}

Value* gathered_last(Emit& e, const Tensor& numbers) {
  const std::int64_t last = numbers.rank() - 1;
  std::vector<std::int64_t> perm;
  for (std::int64_t axis = 1; axis < last - 1; ++axis) perm.push_back(axis);
  perm.push_back(0);
  return e.transpose(e.squeeze(numbers, {last - 1, last}), perm);
}

Lu lu(Emit& e, const Tensor& matrix, bool pivot) {
  const Dim turns = e.simplify(sym::min(matrix.dim(-2), matrix.dim(-1)));
  const Shape batch = batch_of(matrix), one = with_matrix(batch, 1, 1);
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  Value* row = e.unsqueeze(indices(e, matrix.dim(-2)), {1});
  Value* column = indices(e, matrix.dim(-1));
  const auto number = [&](double value) { return like(e, matrix, value); };

  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    Value *x = carried[0], *order = carried[1], *at = e.reshape(k, {1});
    Value* found = e.expand(at, one);
    if (pivot) {
      Value* sizes = e.op("Abs", {e.gather(x, at, columns)});
      Value* candidates = e.op("Where", {e.op("Less", {row, k}), number(-1), sizes});
      found = e.op("ArgMax", {candidates}, {{"axis", rows}, {"keepdims", std::int64_t{1}}});
      Value* exchanged = e.op("Where", {e.op("Equal", {row, found}), k, row});
      exchanged = e.op("Where", {e.op("Equal", {row, k}), found, exchanged});
      x = rows_in_order(e, exchanged, x);
      order = rows_in_order(e, exchanged, order);
    }
    Value* chosen = e.gather(x, at, rows);
    Value* top = e.gather(chosen, at, columns);
    Value* is_zero = e.op("Equal", {top, number(0)});
    Value* factors = e.op("Div", {e.gather(x, at, columns), e.op("Where", {is_zero, number(1), top})});
    Value* rest = e.op("Sub", {x, e.op("Mul", {factors, chosen})});
    Value* below = e.op("Greater", {row, k});
    x = e.op("Where", {e.op("And", {below, e.op("Equal", {column, k})}), factors, x});
    x = e.op("Where", {e.op("And", {below, e.op("Greater", {column, k})}), rest, x});

    Value* turned = e.op("Where", {e.op("Equal", {found, k}), number(1), number(-1)});
    Value* first_zero = e.op("And", {is_zero, e.op("Equal", {carried[5], e.dim(0)})});
    return {{x, order, e.op("Mul", {carried[2], e.op("Mul", {top, turned})}),
             e.op("Mul", {carried[3], e.op("Mul", {e.op("Sign", {top}), turned})}),
             e.op("Add", {carried[4], e.op("Log", {e.op("Abs", {top})})}),
             e.op("Where", {first_zero, e.op("Add", {k, e.dim(1)}), carried[5]})},
            {found}};
  };
  Value* ones = filled(e, number(1), one);
  const TurnResults done = counted_loop(e, "columns", turns,
                                        {matrix, e.expand(row, with_matrix(batch, matrix.dim(-2), 1)), ones,
                                         ones, filled(e, number(0), one), filled(e, e.dim(0), one)},
                                        turn);
  const auto single = [&](Value* value) { return e.reshape(value, batch); };
  return {done.carried[0],         done.carried[1],         gathered_last(e, done.gathered[0]),
          single(done.carried[2]), single(done.carried[3]), single(done.carried[4]),
          single(done.carried[5])};
}

Cholesky cholesky(Emit& e, const Tensor& matrix) {
  const Shape batch = batch_of(matrix);
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  Value* column = indices(e, matrix.dim(-1));
  Value* row = e.unsqueeze(column, {1});
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    Value *x = carried[0], *at = e.reshape(k, {1});
    Value* now = e.gather(x, at, columns);
    Value* top = e.gather(now, at, rows);
    Value* root = e.op("Sqrt", {top});
    Value* above = e.op("Where", {e.op("Equal", {row, k}), root, like(e, matrix, 0)});
    Value* made = e.op("Where", {e.op("Greater", {row, k}), e.op("Div", {now, root}), above});
    Value* rest = e.op("Sub", {x, e.op("Mul", {made, transposed(e, made)})});
    x = e.op("Where", {e.op("Greater", {column, k}), rest, x});
    x = e.op("Where", {e.op("Equal", {column, k}), made, x});
    Value* positive = e.op("Greater", {top, like(e, matrix, 0)});
    Value* keeps = e.op("Or", {positive, e.op("Greater", {carried[1], e.dim(0)})});
    return {{x, e.op("Where", {keeps, carried[1], e.op("Add", {k, e.dim(1)})})}, {}};
  };
  const TurnResults done = counted_loop(e, "columns", matrix.dim(-1),
                                        {matrix, filled(e, e.dim(0), with_matrix(batch, 1, 1))}, turn);
  return {triangle_of(e, done.carried[0], false), e.reshape(done.carried[1], batch)};
}

Value* solve_triangular(Emit& e, const Tensor& matrix, const Tensor& right, Triangle triangle) {
  const Dim size = matrix.dim(-1);
  const Shape batch = broadcast_shape(e, batch_of(matrix), batch_of(right));
  Value* start = e.expand(right, with_matrix(batch, right.dim(-2), right.dim(-1)));
  Value* row = e.unsqueeze(indices(e, size), {1});
  const auto turn = [&](Value* k, const std::vector<Value*>& carried) -> TurnResults {
    if (triangle.upper) k = e.op("Sub", {e.dim(size - 1), k});
    Value *x = carried[0], *at = e.reshape(k, {1});
    Value* column = e.gather(matrix, at, matrix.rank() - 1);
    Value* known = e.gather(x, at, Tensor(x).rank() - 2);
    if (!triangle.unit) known = e.op("Div", {known, e.gather(column, at, matrix.rank() - 2)});
    Value* rest = e.op("Sub", {x, e.op("Mul", {column, known})});
    x = e.op("Where", {e.op("Equal", {row, k}), known, x});
    return {{e.op("Where", {e.op(triangle.upper ? "Less" : "Greater", {row, k}), rest, x})}, {}};
  };
  return counted_loop(e, "rows", size, {start}, turn).carried[0];
}

Value* solve_factored(Emit& e, Value* packed, Value* order, const Tensor& right) {
  const Shape batch = broadcast_shape(e, batch_of(packed), batch_of(right));
  const Tensor start = e.expand(right, with_matrix(batch, right.dim(-2), right.dim(-1)));
  Value* reordered = rows_in_order(e, order, start);
  Value* inner = solve_triangular(e, packed, reordered, {.upper = false, .unit = true});
  return solve_triangular(e, packed, inner, {.upper = true});
}

Value* solve(Emit& e, const Tensor& matrix, const Tensor& right) {
  const Lu factored = lu(e, matrix);
  return solve_factored(e, factored.packed, factored.order, right);
}

Value* first_zero(Emit& e, const Tensor& matrix) {
  return e.cast(lu(e, transposed(e, matrix)).zero_pivot, DType::i32);
}

Value* inverse_of(Emit& e, const Tensor& matrix) {
  return solve(e, matrix, identity_matrix(e, matrix.dim(-1), matrix.dtype()));
}

}  // namespace cameo::aten
