// Orthogonal polynomials, by their recurrences.
#include "aten/counted_loop.h"
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/formula.h"

namespace cameo::aten {
namespace {

using onnx::Value;

// The polynomial of degree 0 is 1 in every family.
struct Recurrence {
  Real (*first)(Real x);                                // of degree 1
  Real (*next)(Real x, Real k, Real now, Real before);  // of degree k + 1, after those of degrees k and k - 1
};

Real chebyshev(Real x, Real, Real now, Real before) { return 2 * x * now - before; }
Real chebyshev_shifted(Real x, Real, Real now, Real before) { return (4 * x - 2) * now - before; }

constexpr Recurrence kChebyshevT{[](Real x) { return x; }, chebyshev};
constexpr Recurrence kChebyshevU{[](Real x) { return 2 * x; }, chebyshev};
constexpr Recurrence kChebyshevV{[](Real x) { return 2 * x - 1; }, chebyshev};
constexpr Recurrence kChebyshevW{[](Real x) { return 2 * x + 1; }, chebyshev};
constexpr Recurrence kShiftedT{[](Real x) { return 2 * x - 1; }, chebyshev_shifted};
constexpr Recurrence kShiftedU{[](Real x) { return 4 * x - 2; }, chebyshev_shifted};
constexpr Recurrence kShiftedV{[](Real x) { return 4 * x - 3; }, chebyshev_shifted};
constexpr Recurrence kShiftedW{[](Real x) { return 4 * x - 1; }, chebyshev_shifted};
constexpr Recurrence kHermiteH{
    [](Real x) { return 2 * x; },
    [](Real x, Real k, Real now, Real before) { return 2 * (x * now - k * before); }};
constexpr Recurrence kHermiteHe{[](Real x) { return x; },
                                [](Real x, Real k, Real now, Real before) { return x * now - k * before; }};
constexpr Recurrence kLaguerre{
    [](Real x) { return 1 - x; },
    [](Real x, Real k, Real now, Real before) { return ((2 * k + 1 - x) * now - k * before) / (k + 1); }};
constexpr Recurrence kLegendre{
    [](Real x) { return x; },
    [](Real x, Real k, Real now, Real before) { return ((2 * k + 1) * x * now - k * before) / (k + 1); }};

constexpr std::int64_t kUnrolled = 12;

Real of_known_degree(const Recurrence& family, Real x, std::int64_t degree) {
  Real before = {x.e, filled_like(*x.e, x.constant(degree < 0 ? 0 : 1).value, x.value)};
  if (degree <= 0) return before;
  Real now = family.first(x);
  for (std::int64_t k = 1; k < degree; ++k) {
    const Real next = family.next(x, x.constant(static_cast<double>(k)), now, before);
    before = now;
    now = next;
  }
  return now;
}

// Degree by degree, each element up to its own.
Real of_degrees(const Recurrence& family, Real x, Value* degrees) {
  Emit& e = *x.e;
  const Shape shape = broadcast_shape(e, Tensor(x.value).shape(), Tensor(degrees).shape());
  const Real wide{&e, e.expand(x.value, shape)};
  const auto step = [&](Value* turn, const std::vector<Value*>& carried) -> TurnResults {
    const Real before{&e, carried[0]}, now{&e, carried[1]}, k{&e, e.cast(turn, DType::f64)};
    const Truth first{&e, e.op("Equal", {turn, e.dim(0)})}, goes_on{&e, e.op("Less", {turn, degrees})};
    const Real next = where(first, family.first(wide), family.next(wide, k, now, before));
    return {{where(goes_on, now, before).value, where(goes_on, next, now).value}, {}};
  };
  Value* ones = filled(e, x.constant(1).value, shape);
  const TurnResults done = counted_loop(e, "degrees", largest_count(e, degrees, 0), {ones, ones}, step);
  const Truth none{&e, e.op("Less", {degrees, e.dim(0)})};
  return where(none, 0, Real{&e, done.carried[1]});
}

template <const Recurrence& kFamily>
Tensor of(Emit& e, const Operand& self, const Operand& degree) {
  const Operands given = float_operands(e, self, degree);
  const Real x{&e, e.cast(given.a, DType::f64)};
  const Scalar* number = std::get_if<Scalar>(&degree);
  const std::optional<double> known = number ? number->known() : std::nullopt;
  const Real result = known && *known <= static_cast<double>(kUnrolled)
                          ? of_known_degree(kFamily, x, static_cast<std::int64_t>(*known))
                          : of_degrees(kFamily, x, as(e, degree, DType::i64));
  return e.cast(result.value, given.dtype());
}

template <const Recurrence& kFamily>
constexpr auto kOfTensors = on<of<kFamily>, Tensor, Tensor>;
template <const Recurrence& kFamily>
constexpr auto kOfDegree = on<of<kFamily>, Tensor, Scalar>;
template <const Recurrence& kFamily>
constexpr auto kOfNumber = on<of<kFamily>, Scalar, Tensor>;

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
