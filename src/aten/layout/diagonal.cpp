// Diagonals: read, written, and made into matrices.
#include <algorithm>
#include <numeric>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// The two dimensions last.
Axes matrix_last(const Expr& self, std::int64_t dim1, std::int64_t dim2) {
  const std::int64_t rows = self.wrap(dim1), columns = self.wrap(dim2);
  if (self.rank() < 2 || rows == columns) throw ProgramError("the two dimensions must differ");
  Axes perm;
  for (std::int64_t axis = 0; axis < self.rank(); ++axis)
    if (axis != rows && axis != columns) perm.push_back(axis);
  perm.insert(perm.end(), {rows, columns});
  return perm;
}

// Where the diagonal is in the flattened matrix: every (columns + 1)-th element.
struct Diagonal {
  Dim start, length, step;
};
Diagonal diagonal_of(Emit& e, const Dim& rows, const Dim& columns, std::int64_t offset) {
  const Dim below = offset < 0 ? -offset : 0, right = offset > 0 ? offset : 0;
  const Dim length = sym::max(sym::min(rows - below, columns - right), 0);
  return {below * columns + right, e.simplify(length), columns + 1};
}

Expr diagonal(Emit& e, Expr self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  const Expr matrix = transpose(self, matrix_last(self, dim1, dim2));
  const Dim rows = matrix.dim(-2), columns = matrix.dim(-1);
  const Diagonal d = diagonal_of(e, rows, columns, offset);
  Shape shape(matrix.shape().begin(), matrix.shape().end() - 2);
  const auto axis = shape.rank();
  shape.push_back(rows * columns);
  const Expr flat = reshape(matrix, shape);
  shape.back() = d.length;
  if (std::optional<std::int64_t> step = d.step.as_constant())
    return reshape(slice(flat, axis, d.start, d.start + d.length * d.step, *step), shape);
  return e.op(
      "Slice",
      {flat, e.dims({d.start}), e.dims({d.start + d.length * d.step}), e.ints({axis}), e.dims({d.step})}, {},
      onnx::Type{.dtype = self.dtype(), .shape = shape});
}
Expr linalg_diagonal(Emit& e, Expr self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  return diagonal(e, self, offset, dim1, dim2);
}

Expr diagonal_scatter(Emit& e, Expr self, Expr src, std::int64_t offset, std::int64_t dim1,
                      std::int64_t dim2) {
  const Axes perm = matrix_last(self, dim1, dim2);
  const Expr matrix = transpose(self, perm);
  const Dim rows = matrix.dim(-2), columns = matrix.dim(-1);
  const Expr row = unsqueeze(indices(e, rows), {1});
  const Expr on = equal(row + offset, indices(e, columns));
  const bool by_row = offset >= 0;
  const Dim size = by_row ? rows : columns;
  const Expr source(cast(src, self.dtype()));
  const std::int64_t last = source.rank() - 1;
  if (e.sym().less(size, source.dim(last)) == sym::Truth::yes)
    throw ProgramError("the source is longer than the diagonal");
  Expr padded = source;
  if (e.sym().equal(source.dim(last), size) != sym::Truth::yes) {
    Shape rest = source.shape();
    rest.back() = size - source.dim(last);
    padded = concat({source, filled(e.scalar(self.dtype(), std::int64_t{0}), rest)}, last);
  }
  const Expr line = unsqueeze(padded, {by_row ? last + 1 : last});
  const Expr written = where(on, line, matrix);
  return transpose(written, inverse_permutation(perm));
}

Expr diag_embed(Emit& e, Expr self, std::int64_t offset, std::int64_t dim1, std::int64_t dim2) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  Shape shape(self.shape().begin(), self.shape().end() - 1);
  const Dim size = self.dim(-1) + std::abs(offset);
  shape.insert(shape.end(), {size, size});
  // Where the two new dimensions are to stand, the others in between.
  const auto rank = shape.rank();
  auto wrap = [rank](std::int64_t dim) {
    if (dim < -rank || dim >= rank) throw ProgramError("a dimension is out of range");
    return dim < 0 ? dim + rank : dim;
  };
  const std::int64_t rows = wrap(dim1), columns = wrap(dim2);
  if (rows == columns) throw ProgramError("the two dimensions must differ");
  Axes perm;
  for (std::int64_t axis = 0, next = 0; axis < rank; ++axis)
    perm.push_back(axis == rows ? rank - 2 : axis == columns ? rank - 1 : next++);
  const Expr nothing = e.scalar(self.dtype(), std::int64_t{0});
  Expr line = self;
  if (offset != 0) {
    Shape rest = self.shape();
    rest.back() = std::abs(offset);
    line = concat({self, filled(nothing, rest)}, self.rank() - 1);
  }
  const Expr row = unsqueeze(indices(e, size), {1});
  const Expr shifted = offset == 0 ? row : row + offset;
  const Expr on = equal(shifted, indices(e, size));
  const Expr spread_line = unsqueeze(line, {offset >= 0 ? self.rank() : self.rank() - 1});
  return transpose(where(on, spread_line, nothing), perm);
}

Expr diag(Emit& e, Expr self, std::int64_t offset) {
  if (self.rank() == 1) return diag_embed(e, self, offset, 0, 1);
  if (self.rank() == 2) return diagonal(e, self, offset, 0, 1);
  throw ProgramError("the input must be a vector or a matrix");
}
Expr diagflat(Emit& e, Expr self, std::int64_t offset) {
  return diag_embed(e, reshape(self, {self.shape().product()}), offset, 0, 1);
}

Expr trace(Emit& e, Expr self) {
  if (self.rank() != 2) throw ProgramError("the input must be a matrix");
  const DType dtype = is_floating(self.dtype()) ? self.dtype() : DType::i64;
  return reduce_sum(cast(diagonal(e, self, 0, 0, 1), dtype), {0});
}

// With `wrap`, the diagonal of a tall matrix starts anew after each square part and one row.
Expr fill_diagonal(Emit& e, Expr self, Scalar fill_value, bool wrap) {
  if (self.rank() < 2) throw ProgramError("the tensor must have at least two dimensions");
  const Expr value = scalar_like(self, fill_value);
  const std::int64_t last = self.rank() - 1;
  const auto along = [&](std::int64_t axis) {
    Axes behind;
    for (std::int64_t i = 1; i <= last - axis; ++i) behind.push_back(i);
    return unsqueeze(indices(e, self.dim(axis)), behind);
  };
  Expr first = along(0);
  if (self.rank() == 2) {
    if (wrap) first = first % Dim(self.dim(1) + 1);
    return where(equal(first, along(1)), value, self);
  }
  Expr on = equal(first, along(1));
  for (std::int64_t axis = 2; axis <= last; ++axis) on = on && equal(first, along(axis));
  return where(on, value, self);
}

constexpr Declaration kDiagonal[] = {
    op<diagonal>("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
                 {.doc = "The diagonal of two dimensions, as the last one.",
                  .complex = OnComplex::by_parts,
                  .quantized = OnQuantized::integers,
                  .copies = {"aten::diagonal_copy"}}),
    op<linalg_diagonal>(
        "aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)",
        {.doc = "The diagonal of two dimensions, as the last one.", .complex = OnComplex::by_parts}),
    op<diagonal_scatter>(
        "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
        {.doc = "A copy with another diagonal.",
         .complex = OnComplex::by_parts,
         .sample = "self=f32[6,6], src=f32[6]"}),
    op<diag>("aten::diag(Tensor self, int diagonal=0) -> Tensor",
             {.doc = "The diagonal of a matrix, or a matrix of a diagonal.", .complex = OnComplex::by_parts}),
    op<diag_embed>("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
                   {.doc = "Matrices with given diagonals, 0 elsewhere.", .complex = OnComplex::by_parts}),
    op<diagflat>("aten::diagflat(Tensor self, int offset=0) -> Tensor",
                 {.doc = "A matrix with all elements on its diagonal.", .complex = OnComplex::by_parts}),
    op<fill_diagonal>(
        "aten::fill_diagonal_functional(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor",
        {.doc = "A copy with a number on its diagonal."}),
    op<trace>("aten::trace(Tensor self) -> Tensor",
              {.doc = "The sum of the diagonal.", .complex = OnComplex::by_parts}),
};

}  // namespace

std::span<const Declaration> diagonal_ops() { return kDiagonal; }

}  // namespace cameo::aten
