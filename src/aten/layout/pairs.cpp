// Pairs and larger tuples of elements.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Tuples of rising numbers below n in lexicographic order, one a column.
Expr rising(Emit& e, const Dim& n, std::int64_t length, bool repeating) {
  Expr kept = nullptr;
  for (std::int64_t i = 0; i + 1 < length; ++i) {
    Axes before, after;
    for (std::int64_t k = i + 1; k < length; ++k) before.push_back(k - i);
    for (std::int64_t k = i + 2; k < length; ++k) after.push_back(k - i - 1);
    const Expr fits = e.op(repeating ? "LessOrEqual" : "Less",
                           {unsqueeze(indices(e, n), before), unsqueeze(indices(e, n), after)});
    kept = kept.value ? kept && fits : fits;
  }
  return e.op("NonZero", {kept.value ? kept : filled(e.scalar(DType::boolean, std::int64_t{1}), {n})});
}

Expr combinations(Emit& e, Expr self, std::int64_t r, bool with_replacement) {
  if (self.rank() != 1) throw ProgramError("the input must have one dimension");
  if (r < 0) throw ProgramError("'r' must not be negative");
  if (r == 0) return filled(e.scalar(self.dtype(), std::int64_t{0}), {0});
  return gather(self, transpose(rising(e, self.dim(0), r, with_replacement), {1, 0}), 0);
}

Expr cartesian_prod(Emit&, std::vector<Expr> tensors) {
  Shape shape;
  for (const Expr& x : tensors) {
    if (x.rank() != 1 || x.dtype() != tensors[0].dtype())
      throw ProgramError("the tensors must have one dimension and one dtype");
    shape.push_back(x.dim(0));
  }
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  if (tensors.size() == 1) return tensors[0];
  Dim count(1);
  for (const Dim& dim : shape) count = count * dim;
  std::vector<Expr> columns;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Shape column(tensors.size(), Dim(1));
    column[i] = shape[i];
    columns.push_back(reshape(expand(reshape(tensors[i], column), shape), {count, 1}));
  }
  return concat(columns, 1);
}

// Distances of all pairs of rows, each pair once.
Expr pdist(Emit& e, Expr self, double p) {
  if (self.rank() != 2) throw ProgramError("the input must be a matrix");
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  if (p < 0) throw ProgramError("'p' must not be negative");
  const Dim n = self.dim(0), count = sym::floordiv(n * (n - 1), 2);
  if (count.as_constant() == 0) return filled(self.number(0), {0});
  if (self.dim(1).as_constant() == 0) return filled(self.number(0), {count});
  const Expr pairs = rising(e, n, 2, false);
  const Expr first = reshape(gather(pairs, e.dim(0), 0), {count});
  const Expr second = reshape(gather(pairs, e.dim(1), 0), {count});
  const Expr d = gather(self, first, 0) - gather(self, second, 0);
  return vector_norm(d, p, {1}, false);
}

constexpr Declaration kPairs[] = {
    op<combinations>("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor",
                     {.doc = "All choices of r elements; memory grows with the r-th power of their number.",
                      .complex = OnComplex::by_parts}),
    op<cartesian_prod>("aten::cartesian_prod(Tensor[] tensors) -> Tensor",
                       {.doc = "All tuples of one element of each vector.", .complex = OnComplex::by_parts}),
    op<pdist>(
        "aten::pdist(Tensor self, float p=2.) -> Tensor",
        {.doc = "p-norm distances of all pairs of rows, each once.", .aliases = {"aten::_pdist_forward"}}),
};

}  // namespace

std::span<const Declaration> pairs_ops() { return kPairs; }

}  // namespace cameo::aten
