// Norms of vectors and matrices.
#include <fmt/core.h>

#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
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

Expr linalg_matrix_norm(Emit&, Expr self, Scalar ord, Axes dim, bool keepdim, std::optional<DType> dtype) {
  const double p = order(ord);
  if (dim.size() != 2) throw ProgramError("the input must have two dimensions");
  if (p == 2 || p == -2)
    throw Unsupported("matrix norms of order 2 and -2 need singular values, which ONNX does not have");
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
  if (ord == "nuc") throw Unsupported("the nuclear norm needs singular values, which ONNX does not have");
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
    op<linalg_matrix_norm>(
        "aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Norms of matrices, of order 1, -1, inf or -inf.",
         .complex = OnComplex::magnitudes,
         .sample = "self=f32[batch,width]"}),
    op<linalg_matrix_norm_named>("aten::linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] "
                                 "dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                                 {.doc = "Frobenius norms of matrices.",
                                  .complex = OnComplex::magnitudes,
                                  .sample = "self=f32[batch,width]"}),
    op<linalg_norm>(
        "aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Norms of vectors or matrices.", .complex = OnComplex::magnitudes}),
    op<linalg_norm_named>(
        "aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
        "ScalarType? dtype=None) -> Tensor",
        {.doc = "Frobenius norms of matrices.",
         .complex = OnComplex::magnitudes,
         .sample = "self=f32[batch,width], ord='fro'"}),
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
