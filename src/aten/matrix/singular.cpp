// Singular values, eigenvalues of symmetric matrices, and functions of them.
#include "aten/matrix/singular.h"

#include <limits>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/matrix/matrices.h"
#include "aten/matrix/products.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

// Each sweep rotates all pairs of columns. The method converges quadratically: f64 needs about ten sweeps.
constexpr std::int64_t kSweeps = 15;
constexpr double kPrecision = std::numeric_limits<double>::epsilon();

// Column i of the first half meets column i of the second half. The columns of the next round, so that after
// 2 * half - 1 rounds each pair has met once: all but the first move by one place along a circle.
Expr next_round(Emit& e, const Dim& half) {
  const Dim last = half * 2 - 1;
  const auto mirrored = [&](const Expr& i) { return where(i < half, i, (last + half) - i); };
  const Expr place = mirrored(indices(e, half * 2));
  return mirrored(where(equal(place, 0), place, where(equal(place, 1), last, place - 1)));
}

// One rotation for each pair; the first `rows` rows decide on the angles.
Expr rotate(const Expr& x, const Dim& rows, const Dim& half, const Expr& next) {
  const std::int64_t axis = x.rank() - 2, columns = axis + 1;
  const Expr first = slice(x, columns, 0, half), second = slice(x, columns, half, half * 2);
  const Expr a = slice(first, axis, 0, rows), b = slice(second, axis, 0, rows);
  const Expr aa = reduce_sum(a * a, {axis}, true), bb = reduce_sum(b * b, {axis}, true),
             ab = reduce_sum(a * b, {axis}, true);
  const Expr orthogonal = abs(ab) <= kPrecision * sqrt(aa * bb);
  const Expr zeta = (bb - aa) / (2 * where(orthogonal, 1, ab));
  const Expr size = 1 / (abs(zeta) + sqrt(1 + zeta * zeta));
  const Expr tangent = where(zeta < 0, -size, size);
  const Expr cosine = where(orthogonal, 1, 1 / sqrt(1 + tangent * tangent));
  const Expr sine = where(orthogonal, 0, cosine * tangent);
  const Expr one = cosine * first - sine * second, other = sine * first + cosine * second;
  return gather(concat({one, other}, columns), next, columns);
}

// The matrix with orthogonal columns, and below it further rows that take part in the rotations. A column of zeros may
// be added.
Expr orthogonalized(const Expr& matrix, const Expr& below) {
  Emit& e = *matrix.e;
  const std::int64_t axis = matrix.rank() - 2;
  Expr x = below.value ? concat({matrix, below}, axis) : matrix;
  const Dim count = matrix.dim(-1), half = e.simplify(sym::floordiv(count + 1, 2));
  const Dim added = e.simplify(half * 2 - count);
  if (added.as_constant() != 0)
    x = concat({x, filled(x.number(0), with_matrix(batch_of(x), x.dim(-2), added))}, axis + 1);
  const Expr next = next_round(e, half);
  const auto turn = [&](Expr, const std::vector<Expr>& carried) -> TurnResults {
    return {{rotate(carried[0], matrix.dim(-2), half, next)}, {}};
  };
  const Dim turns = e.simplify(sym::max(half * 2 - 1, 0) * kSweeps);
  return counted_loop(e, "rotations", turns, {x}, turn).carried[0];
}

Expr column_norms(const Expr& x) { return sqrt(reduce_sum(x * x, {x.rank() - 2})); }

bool has_no_elements(const Expr& x) { return x.shape().product().as_constant() == 0; }
bool is_wide(const Expr& matrix) {
  return matrix.e->sym().less(matrix.dim(-2), matrix.dim(-1)) == sym::Truth::yes;
}

// f64, in descending order.
Expr values_of(const Expr& matrix, const Dim& count) {
  Emit& e = *matrix.e;
  if (has_no_elements(matrix)) {
    Shape shape = batch_of(matrix);
    shape.push_back(count);
    return filled(matrix.number(0), shape);
  }
  return ops(e, "TopK", {column_norms(orthogonalized(matrix, nullptr)), e.dims({count})}, {}, 2)[0];
}

Expr symmetric(const Expr& matrix, Half half) {
  const bool upper = half == Half::upper;
  return triangle_of(matrix, upper) + transposed(triangle_of(matrix, upper, upper ? 1 : -1));
}

}  // namespace

Expr singular_values(const Expr& matrix) {
  const Expr x = cast(real_matrix(matrix), DType::f64);
  const Dim count = matrix.e->simplify(sym::min(matrix.dim(-2), matrix.dim(-1)));
  return cast(values_of(is_wide(x) ? transposed(x) : x, count), matrix.dtype());
}

// A multiple of the identity that is added makes all eigenvalues singular values.
Expr symmetric_eigenvalues(const Expr& matrix, Half half) {
  Emit& e = *matrix.e;
  const Expr x = symmetric(cast(square_matrix(matrix), DType::f64), half);
  const std::int64_t rows = x.rank() - 2;
  const Expr shift = sqrt(reduce_sum(x * x, {rows, rows + 1}, true));
  const Expr moved = x + shift * identity_matrix(e, x.dim(-1), x.dtype());
  const Expr descending = values_of(moved, x.dim(-1)) - squeeze(shift, {rows + 1});
  const Expr order = (x.dim(-1) - 1) - indices(e, x.dim(-1));
  return cast(gather(descending, order, rows), matrix.dtype());
}

Expr largest_last(const Expr& values) {
  const std::int64_t last = values.rank() - 1;
  Shape one = values.shape();
  one[last] = 1;
  return reduce_max(concat({values, filled(values.number(0), one)}, last), {last}, true);
}

Expr pseudo_inverse(const Expr& matrix, const Expr& atol, const Expr& rtol) {
  Emit& e = *matrix.e;
  const Shape batch = batch_of(matrix);
  if (has_no_elements(matrix))
    return filled(matrix.number(0), with_matrix(batch, matrix.dim(-1), matrix.dim(-2)));
  const bool wide = is_wide(matrix);
  const Expr x = cast(wide ? transposed(matrix) : matrix, DType::f64);
  const Dim rows = x.dim(-2), columns = x.dim(-1);
  const std::int64_t axis = x.rank() - 2;
  const Expr identity = expand(identity_matrix(e, columns, x.dtype()), with_matrix(batch, columns, columns));
  const Expr both = orthogonalized(x, identity);
  const Expr left = slice(both, axis, 0, rows), right = slice(both, axis, rows, rows + columns);
  const Expr values = column_norms(left);
  const auto per_matrix = [&](const Expr& tolerance) { return unsqueeze(tolerance, {tolerance.rank()}); };
  const Expr least = maximum(per_matrix(atol), per_matrix(rtol) * largest_last(values));
  const Expr kept = values > least;
  const Expr weights = where(kept, 1 / where(kept, values * values, 1), 0);
  const Expr made = matrix_product(e, right * unsqueeze(weights, {axis}), transposed(left));
  return cast(wide ? transposed(made) : made, matrix.dtype());
}

namespace {

double precision_of(DType dtype) {
  return dtype == DType::f64 ? kPrecision : double{std::numeric_limits<float>::epsilon()};
}

struct Tolerances {
  Expr atol, rtol;  // f64
};

Expr default_rtol(const Expr& matrix) {
  Emit& e = *matrix.e;
  const Dim larger = e.simplify(sym::max(matrix.dim(-2), matrix.dim(-1)));
  return cast(matrix, DType::f64).number(larger) * precision_of(matrix.dtype());
}

Tolerances tolerances(const Expr& matrix, const std::optional<Expr>& atol, const std::optional<Expr>& rtol) {
  const Expr absolute = atol ? cast(*atol, DType::f64) : default_rtol(matrix).number(0);
  if (rtol) return {absolute, cast(*rtol, DType::f64)};
  const Expr relative = default_rtol(matrix);
  return {absolute, atol ? where(absolute > 0, 0, relative) : relative};
}
Tolerances tolerances(const Expr& matrix, const std::optional<double>& atol,
                      const std::optional<double>& rtol) {
  const Expr relative = default_rtol(matrix);
  const double absolute = atol.value_or(0);
  return {relative.number(absolute), rtol || absolute > 0 ? relative.number(rtol.value_or(0)) : relative};
}

Expr checked(const Expr& matrix, bool hermitian) {
  real_matrix(matrix);
  return hermitian ? symmetric(square_matrix(matrix), Half::lower) : matrix;
}

template <class T>
Expr pinv(Emit&, Expr self, std::optional<T> atol, std::optional<T> rtol, bool hermitian) {
  const Tolerances least = tolerances(self, atol, rtol);
  return pseudo_inverse(checked(self, hermitian), least.atol, least.rtol);
}
template <class T>
Expr pinv_rcond(Emit& e, Expr self, T rcond, bool hermitian) {
  const auto zero = [&] {
    if constexpr (std::is_same_v<T, Expr>)
      return rcond.number(0);
    else
      return 0.0;
  }();
  return pinv<T>(e, self, zero, rcond, hermitian);
}
Expr pinverse(Emit& e, Expr self, double rcond) { return pinv_rcond<double>(e, self, rcond, false); }

Expr rank_of(const Expr& self, const Tolerances& least, bool hermitian) {
  const Expr values = cast(singular_values(checked(self, hermitian)), DType::f64);
  const Expr largest = squeeze(largest_last(values), {values.rank() - 1});
  const Expr limit = maximum(least.atol, least.rtol * largest);
  return reduce_sum(cast(values > unsqueeze(limit, {limit.rank()}), DType::i64),
                    {-1 + std::max(values.rank(), limit.rank() + 1)});
}
template <class T>
Expr matrix_rank(Emit&, Expr self, std::optional<T> atol, std::optional<T> rtol, bool hermitian) {
  return rank_of(self, tolerances(self, atol, rtol), hermitian);
}
Expr matrix_rank_tol(Emit&, Expr self, double tol, bool hermitian) {
  return rank_of(self, tolerances(self, std::optional(tol), std::optional(0.0)), hermitian);
}
Expr matrix_rank_tol_tensor(Emit&, Expr input, Expr tol, bool hermitian) {
  return rank_of(input, tolerances(input, std::optional(tol), std::optional(tol.number(0))), hermitian);
}

Expr svdvals(Emit&, Expr A, Ignored) { return singular_values(A); }
Expr eigvalsh(Emit&, Expr self, std::string half) {
  return symmetric_eigenvalues(self, half == "U" || half == "u" ? Half::upper : Half::lower);
}
Returns svd_without_vectors(Emit&, Expr A, Ignored, bool compute_uv, Ignored) {
  if (compute_uv)
    throw Unsupported("singular vectors are not supported", "use torch.linalg.svdvals if the values suffice");
  return {Arg{None{}}, Arg{Tensor(singular_values(A))}, Arg{None{}}};
}

constexpr Declaration kSingular[] = {
    op<svdvals>("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
                {.doc = "Singular values, from the largest to the smallest."}),
    op<svd_without_vectors>(
        "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> "
        "(Tensor U, Tensor S, Tensor Vh)",
        {.doc = "Singular values, without vectors.", .sample = "A=f32[batch,6,4], compute_uv=False"}),
    op<eigvalsh>(
        "aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor",
        {.doc = "Eigenvalues of symmetric matrices, in ascending order.", .sample = "self=f32[batch,6,6]"}),
    op<pinv<Expr>>(
        "aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool "
        "hermitian=False) -> Tensor",
        {.doc = "The pseudo-inverse.", .sample = "atol=f32[], rtol=f32[]"}),
    op<pinv<double>>(
        "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
        "hermitian=False) -> Tensor",
        {.doc = "The pseudo-inverse."}),
    op<pinv_rcond<double>>("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
                           {.doc = "The pseudo-inverse."}),
    op<pinv_rcond<Expr>>(
        "aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
        {.doc = "The pseudo-inverse.", .sample = "rcond=f32[]"}),
    op<pinverse>("aten::pinverse(Tensor self, float rcond=1e-15) -> Tensor", {.doc = "The pseudo-inverse."}),
    op<matrix_rank<Expr>>(
        "aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, "
        "bool "
        "hermitian=False) -> Tensor",
        {.doc = "The number of singular values above a tolerance.", .sample = "atol=f32[], rtol=f32[]"}),
    op<matrix_rank<double>>(
        "aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
        "hermitian=False) -> Tensor",
        {.doc = "The number of singular values above a tolerance."}),
    op<matrix_rank_tol>("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
                        {.doc = "The number of singular values above a tolerance."}),
    op<matrix_rank_tol_tensor>(
        "aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
        {.doc = "The number of singular values above a tolerance.", .sample = "tol=f32[]"}),
};

}  // namespace

std::span<const Declaration> singular_ops() { return kSingular; }

}  // namespace cameo::aten
