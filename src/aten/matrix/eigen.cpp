// Eigenvectors of symmetric matrices, by Jacobi's rotations.
#include <fmt/core.h>

#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"
#include "aten/matrix/matrices.h"
#include "aten/matrix/singular.h"
#include "aten/reduce.h"

namespace cameo::aten {
namespace {

// The number of times that all pairs of rows are visited. Each visit squares what is left beside the diagonal;
// f64 has its digits after 6 to 10.
constexpr std::int64_t kVisits = 12;

struct Eigen {
  Expr values;   // […, n], ascending
  Expr vectors;  // […, n, n], as columns
};

// Angles of the rotations that make the element beside the diagonal 0.
struct Rotation {
  Expr cosine, sine;
};
Rotation rotation(const Expr& first, const Expr& beside, const Expr& second) {
  const Expr done = equal(beside, 0);
  const Expr slope = (second - first) / (where(done, 1, beside) * 2);
  const Expr size = reciprocal(abs(slope) + sqrt(slope * slope + 1));
  const Expr tangent = where(done, 0, where(slope < 0, -size, size));
  const Expr cosine = reciprocal(sqrt(tangent * tangent + 1));
  return {cosine, tangent * cosine};
}

Eigen eigen(Emit& e, const Expr& matrix, bool upper) {
  const Expr half = triangle_of(matrix, upper);
  const Expr other = transposed(triangle_of(matrix, upper, upper ? 1 : -1));
  const std::int64_t rows = matrix.rank() - 2, columns = rows + 1;
  const Dim size = matrix.dim(-1);
  const Expr row = unsqueeze(indices(e, size), {1}), column = indices(e, size);
  const Expr unit = identity_matrix(e, size, matrix.dtype());
  const Dim pairs = e.simplify(sym::floordiv(size * (size - 1), 2));
  const Expr places = reshape(Expr(e.op("NonZero", {row < column})), {2, pairs});
  const auto turn = [&](Expr number, const std::vector<Expr>& carried) -> TurnResults {
    const Expr a = carried[0], v = carried[1];
    const Expr pair = gather(places, number % sym::max(pairs, 1), 1);
    const Expr p = slice(pair, 0, 0, 1), q = slice(pair, 0, 1, 2);
    const Expr of_p = gather(a, p, rows), of_q = gather(a, q, rows);
    const auto [c, s] =
        rotation(gather(of_p, p, columns), gather(of_p, q, columns), gather(of_q, q, columns));
    const auto at = [&](const Expr& i, const Expr& j) {
      return cast(equal(row, i) && equal(column, j), matrix.dtype());
    };
    const Expr turned = unit + (c - 1) * (at(p, p) + at(q, q)) + s * (at(p, q) - at(q, p));
    return {{matmul(matmul(transposed(turned), a), turned), matmul(v, turned)}, {}};
  };
  const Expr start = expand(unit, matrix.shape());
  const TurnResults done = counted_loop(e, "rotations", pairs * kVisits, {half + other, start}, turn);
  const Expr values = reduce_sum(done.carried[0] * unit, {columns});
  const std::vector<Expr> sorted =
      ops(e, "TopK", {values, e.dims({size})}, {{"axis", rows}, {"largest", std::int64_t{0}}}, 2);
  const Expr order = expand(unsqueeze(sorted[1], {rows}), matrix.shape());
  return {sorted[0], gather_elements(done.carried[1], order, columns)};
}

bool reads_upper(const std::string& triangle) {
  if (triangle != "L" && triangle != "U" && triangle != "l" && triangle != "u")
    throw ProgramError(fmt::format("UPLO must be 'L' or 'U', not '{}'", triangle));
  return triangle == "U" || triangle == "u";
}

std::vector<Expr> linalg_eigh(Emit& e, Expr self, std::string uplo) {
  const Eigen found = eigen(e, square_matrix(self), reads_upper(uplo));
  return {found.values, found.vectors};
}
Returns eigh_internal(Emit& e, Expr self, std::string uplo, bool compute_v) {
  const bool upper = reads_upper(uplo);
  if (!compute_v)
    return {Arg{Tensor(symmetric_eigenvalues(self, upper ? Half::upper : Half::lower))}, Arg{None{}}};
  const Eigen found = eigen(e, square_matrix(self), upper);
  return {Arg{Tensor(found.values)}, Arg{Tensor(found.vectors)}};
}
std::vector<Expr> symeig(Emit& e, Expr self, bool, bool upper) {
  const Eigen found = eigen(e, square_matrix(self), upper);
  return {found.values, found.vectors};
}

constexpr Declaration kEigen[] = {
    op<linalg_eigh>(
        "aten::linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)",
        {.doc =
             "Eigenvalues and eigenvectors of symmetric matrices. The signs of the vectors may differ from "
             "PyTorch's.",
         .sample = "self=f32[5,5]"}),
    op<eigh_internal>(
        "aten::_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor "
        "eigenvalues, Tensor eigenvectors)",
        {.doc = "Eigenvalues and eigenvectors of symmetric matrices. The signs of the vectors may "
                "differ from PyTorch's.",
         .sample = "A=f32[5,5]"}),
    op<symeig>(
        "aten::symeig(Tensor self, bool eigenvectors=False, bool upper=True) -> (Tensor eigenvalues, "
        "Tensor eigenvectors)",
        {.doc = "Eigenvalues and eigenvectors of symmetric matrices. The signs of the vectors may differ "
                "from PyTorch's.",
         .sample = "self=f32[5,5], eigenvectors=True"}),
};

}  // namespace

std::span<const Declaration> eigen_ops() { return kEigen; }

}  // namespace cameo::aten
