// Parts of numbers: common divisors, mantissas and exponents, the next representable number.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

void need_whole(const Expr& self, const char* name) {
  if (!is_integral(self.dtype())) throw ProgramError(std::string(name) + "the inputs must be integers");
}

// Euclid's steps on all pairs at once, until every rest is 0. i64 of one shape, not negative.
Expr common_divisor(Emit& e, Expr a, Expr b) {
  const onnx::Type type = a->type, truth{.dtype = DType::boolean, .shape = Shape{}};
  onnx::Graph* body = e.new_graph("euclid");
  e.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
  e.graph_input(body, truth);
  const Expr larger = e.graph_input(body, type);
  const Expr smaller = e.graph_input(body, type);
  {
    onnx::Emit::Scope scope(e, body);
    const Expr zero = e.scalar(DType::i64, std::int64_t{0});
    const Expr one = e.scalar(DType::i64, std::int64_t{1});
    const Expr done = equal(smaller, zero);
    Expr rest = larger % where(done, one, smaller);
    const Expr next = where(done, zero, rest);
    const Expr open = any_of(next, all_axes(next), false);
    e.graph_output(body, open);
    e.graph_output(body, where(done, larger, smaller));
    e.graph_output(body, next);
  }
  Expr divisor = e.pending(type), rest = e.pending(type);
  const Expr begin = e.scalar(DType::boolean, std::int64_t{1});
  e.control("Loop", {nullptr, begin, e.materialize(a), e.materialize(b)}, {{"body", body}}, {divisor, rest});
  return divisor;
}

struct Pair {
  Expr a, b, divisor;
  DType dtype;
};
Pair with_divisor(Emit& e, const Expr& self, const Expr& other, const char* name) {
  need_whole(self, name);
  need_whole(other, name);
  const DType dtype = result_type({self, other});
  const Shape shape = broadcast_shape(e, self.shape(), other.shape());
  auto prepared = [&](const Expr& x) { return abs(expand(cast(x, DType::i64), shape)); };
  const Expr a = prepared(self), b = prepared(other);
  const bool none = a.shape().product().as_constant() == 0;
  return {a, b, none ? a : common_divisor(e, a, b), dtype};
}

Expr gcd(Emit& e, Expr self, Expr other) {
  const Pair pair = with_divisor(e, self, other, "gcd");
  return cast(pair.divisor, pair.dtype);
}
Expr lcm(Emit& e, Expr self, Expr other) {
  const Pair pair = with_divisor(e, self, other, "lcm");
  const Expr share = pair.a / maximum(pair.divisor, 1);
  return cast(abs(share * pair.b), pair.dtype);
}

Expr ldexp(Emit& e, Expr self, Expr other) {
  const Expr exponent = floats(other);
  const Operands x = operands(e, self, power(2, exponent));
  return x.a * x.b;
}

// 2^k of whole k, exactly: runtimes round Pow. Too small ones are 0, too large ones infinite.
Expr power_of_two(Emit& e, Expr exponent) {
  constexpr int kMost = 1100;
  static const onnx::DataPtr kPowers = [] {
    std::vector<double> powers;
    for (int k = -kMost; k <= kMost; ++k) powers.push_back(std::ldexp(1.0, k));
    return onnx::Data::of<double>(DType::f64, {2 * kMost + 1}, powers);
  }();
  const Expr place = cast(exponent + kMost, DType::i64);
  return gather(e.constant(kPowers), place, 0);
}

// |x| as mantissa * 2^exponent, the mantissa from 0.5 to 1; of 1 where x is 0 or not finite. All in f64.
struct Parts {
  Expr finite, mantissa, exponent;
};
Parts parts_of(Emit& e, Expr x) {
  constexpr double kTiny = 0x1p-900, kLift = 200;
  const Expr odd = is_nan(x) || is_inf(x) || equal(x, 0);
  const Expr size = where(odd, 1, abs(x));
  const Expr lift = cast(size < kTiny, DType::f64) * kLift;
  const Expr lifted = size * power_of_two(e, lift);
  const Expr guess = floor(log(lifted) / std::numbers::ln2 + 1);
  const Expr near = lifted * power_of_two(e, -guess);
  // The logarithm may be rounded to either side of a power of two.
  const Expr over = cast(near >= 1, DType::f64);
  const Expr under = cast(near < 0.5, DType::f64);
  const Expr change = over - under;
  const Expr mantissa = near * power_of_two(e, -change);
  return {!odd, mantissa, guess + change - lift};
}

std::vector<Expr> frexp(Emit& e, Expr self) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  const Expr x = cast(self, DType::f64);
  const Parts parts = parts_of(e, x);
  const Expr negative = x < 0;
  const Expr mantissa = where(negative, -parts.mantissa, parts.mantissa);
  const Expr exponent = where(parts.finite, parts.exponent, 0);
  return {cast(where(parts.finite, mantissa, x), self.dtype()), cast(exponent, DType::i32)};
}

Expr nextafter(Emit& e, Expr self, Expr other) {
  const Operands in = operands(e, self, other);
  const DType dtype = in.dtype();
  if (dtype != DType::f32 && dtype != DType::f64) throw Unsupported("only f32 and f64 are supported");
  const bool wide = dtype == DType::f64;
  const double digits = wide ? 53 : 24, least = wide ? -1074 : -149;
  const double largest =
      wide ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
  const Expr x = cast(in.a, DType::f64), goal = cast(in.b, DType::f64);

  const Parts parts = parts_of(e, x);
  const Expr unit = maximum(parts.exponent - digits, least);
  const Expr narrower = equal(parts.mantissa, 0.5) && unit > least;
  const Expr size = abs(x);
  const Expr larger = size + power_of_two(e, unit);
  Expr smaller = size - power_of_two(e, unit - cast(narrower, DType::f64));
  smaller = where(is_inf(x), largest, smaller);
  const Expr negative = x<0, up = goal> x;
  const Expr moved = where(exclusive_or(negative, up), larger, smaller);
  const Expr signed_result = where(negative, -moved, moved);
  const double smallest = std::ldexp(1.0, static_cast<int>(least));
  const Expr from_zero = where(up, x.number(smallest), -smallest);
  Expr result = where(equal(x, 0), from_zero, signed_result);
  result = where(equal(x, goal), goal, result);
  return cast(where(is_nan(x), x, where(is_nan(goal), goal, result)), dtype);
}

constexpr Declaration kNumberParts[] = {
    op<gcd>("aten::gcd(Tensor self, Tensor other) -> Tensor",
            {.doc = "Greatest common divisors.", .aliases = {"prims::gcd"}, .result = Result::same}),
    op<lcm>("aten::lcm(Tensor self, Tensor other) -> Tensor",
            {.doc = "Least common multiples.", .result = Result::same}),
    op<ldexp>("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", {.doc = "x * 2^y."}),
    op<frexp>("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
              {.doc = "Mantissas from 0.5 to 1, and exponents of 2.", .result = Result::with_exponents}),
    op<nextafter>("aten::nextafter(Tensor self, Tensor other) -> Tensor",
                  {.doc = "The next number of the dtype, towards another.", .aliases = {"prims::nextafter"}}),
};

}  // namespace

std::span<const Declaration> number_parts_ops() { return kNumberParts; }

}  // namespace cameo::aten
