// Norms of vectors and matrices.
#include <fmt/core.h>

#include <cmath>
#include <functional>

#include "aten/complex.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"
#include "aten/matrix/singular.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr norm_of(const Expr& self, double p, const std::optional<Axes>& dim, bool keepdim,
             std::optional<DType> dtype = std::nullopt) {
  const Expr x = cast(self, dtype.value_or(self.dtype()));
  if (!is_floating(x.dtype())) throw ProgramError("the input must have a floating-point type");
  return vector_norm(x, p, axes_of(x, dim), keepdim);
}

double order(const std::optional<Scalar>& p) { return p ? known_number(*p, "p") : 2; }

Expr norm(Emit&, Expr self, Scalar p) { return norm_of(self, order(p), std::nullopt, false); }
Expr norm_dtype(Emit&, Expr self, std::optional<Scalar> p, DType dtype) {
  return norm_of(self, order(p), std::nullopt, false, dtype);
}
Expr norm_dim(Emit&, Expr self, std::optional<Scalar> p, Axes dim, bool keepdim) {
  return norm_of(self, order(p), dim, keepdim);
}
Expr norm_dim_dtype(Emit&, Expr self, std::optional<Scalar> p, Axes dim, bool keepdim, DType dtype) {
  return norm_of(self, order(p), dim, keepdim, dtype);
}
Expr linalg_vector_norm(Emit&, Expr self, Scalar ord, std::optional<Axes> dim, bool keepdim,
                        std::optional<DType> dtype) {
  return norm_of(self, order(ord), dim, keepdim, dtype);
}
Expr frobenius_norm(Emit&, Expr self) { return norm_of(self, 2, std::nullopt, false); }
Expr frobenius_norm_dim(Emit&, Expr self, Axes dim, bool keepdim) { return norm_of(self, 2, dim, keepdim); }

Expr frobenius(const Expr& self, const Axes& dim, bool keepdim, std::optional<DType> dtype) {
  if (dim.size() != 2) throw ProgramError("the input must have two dimensions");
  return norm_of(self, 2, dim, keepdim, dtype);
}

// Of the matrices along two dimensions, along a new last one.
Expr singular_values_along(const Expr& self, const Axes& dim, std::optional<DType> dtype) {
  if (dim.size() != 2) throw ProgramError("the input must have two dimensions");
  const std::int64_t rows = self.wrap(dim[0]), columns = self.wrap(dim[1]);
  Axes perm = all_axes(self);
  std::erase_if(perm, [&](std::int64_t axis) { return axis == rows || axis == columns; });
  perm.insert(perm.end(), {rows, columns});
  return singular_values(transpose(cast(self, dtype.value_or(self.dtype())), perm));
}
Expr with_kept_axes(const Expr& norms, const Expr& self, const Axes& dim, bool keepdim) {
  return keepdim ? unsqueeze(norms, wrap_axes(self, dim)) : norms;
}

Expr spectral_norm(const Expr& self, double p, const Axes& dim, bool keepdim, std::optional<DType> dtype) {
  const Expr values = singular_values_along(self, dim, dtype);
  const Expr norms = reduce(p > 0 ? "ReduceMax" : "ReduceMin", values, {values.rank() - 1});
  return with_kept_axes(norms, self, dim, keepdim);
}
Expr nuclear_norm(const Expr& self, const Axes& dim, bool keepdim,
                  std::optional<DType> dtype = std::nullopt) {
  const Expr values = singular_values_along(self, dim, dtype);
  return with_kept_axes(reduce_sum(values, {values.rank() - 1}), self, dim, keepdim);
}

Expr linalg_matrix_norm(Emit&, Expr self, Scalar ord, Axes dim, bool keepdim, std::optional<DType> dtype) {
  const double p = order(ord);
  if (dim.size() != 2) throw ProgramError("the input must have two dimensions");
  if (p == 2 || p == -2) return spectral_norm(self, p, dim, keepdim, dtype);
  const bool over_rows = p == kInfinity || p == -kInfinity;
  if (!over_rows && p != 1 && p != -1)
    throw ProgramError(fmt::format("the order {} is not supported for matrices", p));
  const std::int64_t rows = self.wrap(dim[0]), columns = self.wrap(dim[1]);
  const std::int64_t summed = over_rows ? columns : rows, compared = over_rows ? rows : columns;
  const Expr sums = norm_of(self, 1, Axes{summed}, true, dtype);
  const Expr best = reduce(p > 0 ? "ReduceMax" : "ReduceMin", sums, {compared}, true);
  return keepdim ? Expr(best) : Expr(squeeze(best, {rows, columns}));
}

Expr linalg_matrix_norm_named(Emit&, Expr self, std::string ord, Axes dim, bool keepdim,
                              std::optional<DType> dtype) {
  if (ord == "nuc") return nuclear_norm(self, dim, keepdim, dtype);
  if (ord != "fro") throw ProgramError(fmt::format("the order '{}' is unknown", ord));
  return frobenius(self, dim, keepdim, dtype);
}

// Without dimensions, those of a vector or of a matrix.
Axes matrix_axes(const Expr& self, const std::optional<Axes>& dim) {
  if (dim) return *dim;
  if (self.rank() > 2) throw ProgramError("the dimensions must be given for a tensor of more than two");
  return all_axes(self);
}

Expr linalg_norm(Emit& e, Expr self, std::optional<Scalar> ord, std::optional<Axes> dim, bool keepdim,
                 std::optional<DType> dtype) {
  if (!ord) return norm_of(self, 2, dim, keepdim, dtype);
  const Axes axes = matrix_axes(self, dim);
  if (axes.size() == 2) return linalg_matrix_norm(e, self, *ord, axes, keepdim, dtype);
  return norm_of(self, order(ord), axes, keepdim, dtype);
}
Expr linalg_norm_named(Emit& e, Expr self, std::string ord, std::optional<Axes> dim, bool keepdim,
                       std::optional<DType> dtype) {
  return linalg_matrix_norm_named(e, self, ord, matrix_axes(self, dim), keepdim, dtype);
}

// Norms of complex numbers that depend on their magnitudes only.
Expr magnitudes(Emit& e, const Tensor& self) { return abs(parts_of(e, self)); }
void refuse_singular_values(bool needed) {
  if (needed) throw Unsupported("singular values of complex matrices are not supported");
}
bool is_spectral(const Scalar& ord) { return std::abs(order(ord)) == 2; }

Tensor complex_matrix_norm(Emit& e, Tensor self, Scalar ord, Axes dim, bool keepdim,
                           std::optional<DType> dtype) {
  refuse_singular_values(is_spectral(ord));
  return linalg_matrix_norm(e, magnitudes(e, self), ord, dim, keepdim, dtype);
}
Tensor complex_matrix_norm_named(Emit& e, Tensor self, std::string ord, Axes dim, bool keepdim,
                                 std::optional<DType> dtype) {
  refuse_singular_values(ord == "nuc");
  return linalg_matrix_norm_named(e, magnitudes(e, self), ord, dim, keepdim, dtype);
}
Tensor complex_norm(Emit& e, Tensor self, std::optional<Scalar> ord, std::optional<Axes> dim, bool keepdim,
                    std::optional<DType> dtype) {
  const Expr x = magnitudes(e, self);
  refuse_singular_values(ord && is_spectral(*ord) && matrix_axes(x, dim).size() == 2);
  return linalg_norm(e, x, ord, dim, keepdim, dtype);
}
Tensor complex_norm_named(Emit& e, Tensor self, std::string ord, std::optional<Axes> dim, bool keepdim,
                          std::optional<DType> dtype) {
  refuse_singular_values(ord == "nuc");
  return linalg_norm_named(e, magnitudes(e, self), ord, dim, keepdim, dtype);
}

Expr nuclear_norm_of_matrix(Emit&, Expr self, bool keepdim) { return nuclear_norm(self, {0, 1}, keepdim); }
Expr nuclear_norm_dim(Emit&, Expr self, Axes dim, bool keepdim) { return nuclear_norm(self, dim, keepdim); }

// The norm of a matrix times that of its inverse; infinite for a singular one.
Expr condition(const Expr& self, const std::function<Expr(const Expr&)>& norm_of_matrix) {
  const Lu factored = lu(square_matrix(self));
  const Expr identity = identity_matrix(*self.e, self.dim(-1), self.dtype());
  const Expr inverse = solve_factored(factored.packed, factored.order, identity);
  return where(factored.zero_pivot > 0, kInfinity, norm_of_matrix(self) * norm_of_matrix(inverse));
}
Expr linalg_cond(Emit& e, Expr self, std::optional<Scalar> p) {
  const double ord = order(p);
  if (std::abs(ord) != 2)
    return condition(self, [&](const Expr& x) {
      return linalg_matrix_norm(e, x, Scalar{ord}, {-2, -1}, false, std::nullopt);
    });
  const Expr values = singular_values(self);
  const std::int64_t last = values.rank() - 1;
  const Expr largest = gather(values, e.dim(0), last), smallest = gather(values, e.dim(-1), last);
  return ord > 0 ? largest / smallest : smallest / largest;
}
Expr linalg_cond_named(Emit& e, Expr self, std::string p) {
  return condition(self, [&](const Expr& x) {
    return linalg_matrix_norm_named(e, x, p, {-2, -1}, false, std::nullopt);
  });
}

Expr dist(Emit& e, Expr self, Expr other, Scalar p) {
  const Operands x = float_operands(e, self, other);
  return norm_of(x.a - x.b, order(p), std::nullopt, false);
}

constexpr Declaration kNorm[] = {
    op<norm>("aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor",
             {.doc = "The p-norm of all elements.", .complex = OnComplex::magnitudes}),
    op<norm_dtype>("aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
                   {.doc = "The p-norm of all elements, in a dtype.", .complex = OnComplex::magnitudes}),
    op<norm_dim>("aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
                 {.doc = "p-norms over dimensions.", .complex = OnComplex::magnitudes}),
    op<norm_dim_dtype>("aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
                       "ScalarType dtype) -> Tensor",
                       {.doc = "p-norms over dimensions, in a dtype.", .complex = OnComplex::magnitudes}),
    op<linalg_vector_norm>("aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool "
                           "keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                           {.doc = "p-norms over dimensions.", .complex = OnComplex::magnitudes}),
    op<linalg_matrix_norm, complex_matrix_norm>(
        "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Norms of matrices, of order 1, -1, 2, -2, inf or -inf.", .sample = "self=f32[batch,width]"}),
    op<linalg_matrix_norm_named, complex_matrix_norm_named>(
        "aten::linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] "
        "dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        {.doc = "Frobenius or nuclear norms of matrices.", .sample = "self=f32[batch,width]"}),
    op<linalg_norm, complex_norm>(
        "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Norms of vectors or matrices."}),
    op<linalg_norm_named, complex_norm_named>(
        "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Frobenius or nuclear norms of matrices.", .sample = "self=f32[batch,width], ord='fro'"}),
    op<nuclear_norm_of_matrix>(
        "aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor",
        {.doc = "The sum of the singular values of a matrix.", .sample = "self=f32[batch,width]"}),
    op<nuclear_norm_dim>("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor",
                         {.doc = "The sum of the singular values of matrices.", .sample = "dim=[-2, -1]"}),
    op<linalg_cond>(
        "aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor",
        {.doc = "The norm of matrices times that of their inverses.", .sample = "self=f32[batch,6,6]"}),
    op<linalg_cond_named>("aten::linalg_cond.p_str(Tensor self, str p) -> Tensor",
                          {.doc = "The norm of matrices times that of their inverses.",
                           .sample = "self=f32[batch,6,6], p='fro'"}),
    op<frobenius_norm>("aten::frobenius_norm(Tensor self) -> Tensor",
                       {.doc = "The root of the sum of all squares.", .complex = OnComplex::magnitudes}),
    op<frobenius_norm_dim>(
        "aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
        {.doc = "The root of the sum of squares over dimensions.", .complex = OnComplex::magnitudes}),
    op<dist>("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
             {.doc = "The p-norm of a difference."}),
};

}  // namespace

std::span<const Declaration> norm_ops() { return kNorm; }

}  // namespace cameo::aten
