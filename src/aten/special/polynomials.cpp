// Orthogonal polynomials, by their recurrences.
#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

// The polynomial of degree 0 is 1 in every family.
struct Recurrence {
  Expr (*first)(Expr x);                                // of degree 1
  Expr (*next)(Expr x, Expr k, Expr now, Expr before);  // of degree k + 1, after those of degrees k and k - 1
};

Expr chebyshev(Expr x, Expr, Expr now, Expr before) { return 2 * x * now - before; }
Expr chebyshev_shifted(Expr x, Expr, Expr now, Expr before) { return (4 * x - 2) * now - before; }

constexpr Recurrence kChebyshevT{[](Expr x) { return x; }, chebyshev};
constexpr Recurrence kChebyshevU{[](Expr x) { return 2 * x; }, chebyshev};
constexpr Recurrence kChebyshevV{[](Expr x) { return 2 * x - 1; }, chebyshev};
constexpr Recurrence kChebyshevW{[](Expr x) { return 2 * x + 1; }, chebyshev};
constexpr Recurrence kShiftedT{[](Expr x) { return 2 * x - 1; }, chebyshev_shifted};
constexpr Recurrence kShiftedU{[](Expr x) { return 4 * x - 2; }, chebyshev_shifted};
constexpr Recurrence kShiftedV{[](Expr x) { return 4 * x - 3; }, chebyshev_shifted};
constexpr Recurrence kShiftedW{[](Expr x) { return 4 * x - 1; }, chebyshev_shifted};
constexpr Recurrence kHermiteH{
    [](Expr x) { return 2 * x; },
    [](Expr x, Expr k, Expr now, Expr before) { return 2 * (x * now - k * before); }};
constexpr Recurrence kHermiteHe{[](Expr x) { return x; },
                                [](Expr x, Expr k, Expr now, Expr before) { return x * now - k * before; }};
constexpr Recurrence kLaguerre{
    [](Expr x) { return 1 - x; },
    [](Expr x, Expr k, Expr now, Expr before) { return ((2 * k + 1 - x) * now - k * before) / (k + 1); }};
constexpr Recurrence kLegendre{
    [](Expr x) { return x; },
    [](Expr x, Expr k, Expr now, Expr before) { return ((2 * k + 1) * x * now - k * before) / (k + 1); }};

constexpr std::int64_t kUnrolled = 12;

Expr of_known_degree(const Recurrence& family, Expr x, std::int64_t degree) {
  Expr before = filled_like(x.number(degree < 0 ? 0 : 1), x);
  if (degree <= 0) return before;
  Expr now = family.first(x);
  for (std::int64_t k = 1; k < degree; ++k) {
    const Expr next = family.next(x, x.number(static_cast<double>(k)), now, before);
    before = now;
    now = next;
  }
  return now;
}

// Degree by degree, each element up to its own.
Expr of_degrees(const Recurrence& family, Expr x, Expr degrees) {
  Emit& e = *x.e;
  const Shape shape = broadcast_shape(e, x.shape(), degrees.shape());
  const Expr wide = expand(x, shape);
  const auto step = [&](Expr turn, const std::vector<Expr>& carried) -> TurnResults {
    const Expr before = carried[0], now = carried[1], k = cast(turn, DType::f64);
    const Expr first = equal(turn, 0), goes_on = turn < degrees;
    const Expr next = where(first, family.first(wide), family.next(wide, k, now, before));
    return {{where(goes_on, now, before), where(goes_on, next, now)}, {}};
  };
  const Expr ones = filled(x.number(1), shape);
  const TurnResults done = counted_loop(e, "degrees", largest_count(degrees, 0), {ones, ones}, step);
  const Expr none = degrees < 0;
  return where(none, 0, Expr(done.carried[1]));
}

template <const Recurrence& kFamily>
Expr of(Emit& e, const Operand& self, const Operand& degree) {
  const Operands given = float_operands(e, self, degree);
  const Expr x = cast(given.a, DType::f64);
  const Scalar* number = std::get_if<Scalar>(&degree);
  const std::optional<double> known = number ? number->known() : std::nullopt;
  const Expr result = known && *known <= static_cast<double>(kUnrolled)
                          ? of_known_degree(kFamily, x, static_cast<std::int64_t>(*known))
                          : of_degrees(kFamily, x, as(e, degree, DType::i64));
  return cast(result, given.dtype());
}

template <const Recurrence& kFamily>
constexpr auto kOfTensors = on<of<kFamily>, Tensor, Tensor>;
template <const Recurrence& kFamily>
constexpr auto kOfDegree = on<of<kFamily>, Tensor, Scalar>;
template <const Recurrence& kFamily>
constexpr auto kOfNumber = on<of<kFamily>, Scalar, Expr>;

constexpr Declaration kPolynomials[] = {
    op<kOfTensors<kChebyshevT>>("aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
                                {.doc = "Chebyshev's polynomials of the first kind."}),
    op<kOfDegree<kChebyshevT>>("aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the first kind."}),
    op<kOfNumber<kChebyshevT>>("aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the first kind."}),
    op<kOfTensors<kChebyshevU>>("aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
                                {.doc = "Chebyshev's polynomials of the second kind."}),
    op<kOfDegree<kChebyshevU>>("aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the second kind."}),
    op<kOfNumber<kChebyshevU>>("aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the second kind."}),
    op<kOfTensors<kChebyshevV>>("aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
                                {.doc = "Chebyshev's polynomials of the third kind."}),
    op<kOfDegree<kChebyshevV>>("aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the third kind."}),
    op<kOfNumber<kChebyshevV>>("aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the third kind."}),
    op<kOfTensors<kChebyshevW>>("aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
                                {.doc = "Chebyshev's polynomials of the fourth kind."}),
    op<kOfDegree<kChebyshevW>>("aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the fourth kind."}),
    op<kOfNumber<kChebyshevW>>("aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
                               {.doc = "Chebyshev's polynomials of the fourth kind."}),
    op<kOfTensors<kShiftedT>>("aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Chebyshev's polynomials of the first kind, of 2 x - 1."}),
    op<kOfDegree<kShiftedT>>(
        "aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the first kind, of 2 x - 1."}),
    op<kOfNumber<kShiftedT>>(
        "aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the first kind, of 2 x - 1."}),
    op<kOfTensors<kShiftedU>>("aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Chebyshev's polynomials of the second kind, of 2 x - 1."}),
    op<kOfDegree<kShiftedU>>(
        "aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the second kind, of 2 x - 1."}),
    op<kOfNumber<kShiftedU>>(
        "aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the second kind, of 2 x - 1."}),
    op<kOfTensors<kShiftedV>>("aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Chebyshev's polynomials of the third kind, of 2 x - 1."}),
    op<kOfDegree<kShiftedV>>(
        "aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the third kind, of 2 x - 1."}),
    op<kOfNumber<kShiftedV>>(
        "aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the third kind, of 2 x - 1."}),
    op<kOfTensors<kShiftedW>>("aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Chebyshev's polynomials of the fourth kind, of 2 x - 1."}),
    op<kOfDegree<kShiftedW>>(
        "aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the fourth kind, of 2 x - 1."}),
    op<kOfNumber<kShiftedW>>(
        "aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
        {.doc = "Chebyshev's polynomials of the fourth kind, of 2 x - 1."}),
    op<kOfTensors<kHermiteH>>("aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor",
                              {.doc = "The physicist's Hermite polynomials."}),
    op<kOfDegree<kHermiteH>>("aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor",
                             {.doc = "The physicist's Hermite polynomials."}),
    op<kOfNumber<kHermiteH>>("aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor",
                             {.doc = "The physicist's Hermite polynomials."}),
    op<kOfTensors<kHermiteHe>>("aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor",
                               {.doc = "The probabilist's Hermite polynomials."}),
    op<kOfDegree<kHermiteHe>>("aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor",
                              {.doc = "The probabilist's Hermite polynomials."}),
    op<kOfNumber<kHermiteHe>>("aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor",
                              {.doc = "The probabilist's Hermite polynomials."}),
    op<kOfTensors<kLaguerre>>("aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Laguerre's polynomials."}),
    op<kOfDegree<kLaguerre>>("aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor",
                             {.doc = "Laguerre's polynomials."}),
    op<kOfNumber<kLaguerre>>("aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor",
                             {.doc = "Laguerre's polynomials."}),
    op<kOfTensors<kLegendre>>("aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor",
                              {.doc = "Legendre's polynomials."}),
    op<kOfDegree<kLegendre>>("aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor",
                             {.doc = "Legendre's polynomials."}),
    op<kOfNumber<kLegendre>>("aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor",
                             {.doc = "Legendre's polynomials."}),
};

}  // namespace

std::span<const Declaration> polynomials_ops() { return kPolynomials; }

}  // namespace cameo::aten
