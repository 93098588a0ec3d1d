// What numbers are made of: common divisors, mantissas and exponents, the next number that can be said.
#include <cmath>
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

void need_whole(const Tensor& self) {
  if (!is_integral(self.dtype())) throw ProgramError("the inputs must be integers");
}

// Euclid's steps on all pairs at once, until every rest is 0. i64 of one shape, not negative.
Value* common_divisor(Emit& e, Value* a, Value* b) {
  const onnx::Type type = a->type, truth{.dtype = DType::boolean, .shape = Shape{}};
  onnx::Graph* body = e.new_graph("euclid");
  e.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
  e.graph_input(body, truth);
  Value* larger = e.graph_input(body, type);
  Value* smaller = e.graph_input(body, type);
  {
    onnx::Emit::Scope scope(e, body);
    Value* zero = e.scalar(DType::i64, std::int64_t{0});
    Value* one = e.scalar(DType::i64, std::int64_t{1});
    Value* done = e.op("Equal", {smaller, zero});
    Value* rest = e.op("Mod", {larger, e.op("Where", {done, one, smaller})});
    Value* next = e.op("Where", {done, zero, rest});
    Value* open = any_of(e, next, all_axes(next), false);
    e.graph_output(body, open);
    e.graph_output(body, e.op("Where", {done, larger, smaller}));
    e.graph_output(body, next);
  }
  Value *divisor = e.pending(type), *rest = e.pending(type);
  Value* begin = e.scalar(DType::boolean, std::int64_t{1});
  e.control("Loop", {nullptr, begin, e.materialize(a), e.materialize(b)}, {{"body", body}}, {divisor, rest});
  return divisor;
}

struct Pair {
  Value *a, *b, *divisor;
  DType dtype;
};
Pair with_divisor(Emit& e, const Tensor& self, const Tensor& other, const char* name) {
  need_whole(self);
  need_whole(other);
  const DType dtype = result_type({self, other});
  const Shape shape = broadcast_shape(e, self.shape(), other.shape());
  auto prepared = [&](const Tensor& x) { return e.op("Abs", {e.expand(e.cast(x, DType::i64), shape)}); };
  Value *a = prepared(self), *b = prepared(other);
  const bool none = numel(e, a).as_constant() == 0;
  return {a, b, none ? a : common_divisor(e, a, b), dtype};
}

Tensor gcd(Emit& e, Tensor self, Tensor other) {
  const Pair pair = with_divisor(e, self, other, "gcd");
  return e.cast(pair.divisor, pair.dtype);
}
Tensor lcm(Emit& e, Tensor self, Tensor other) {
  const Pair pair = with_divisor(e, self, other, "lcm");
  Value* share = e.op("Div", {pair.a, e.op("Max", {pair.divisor, e.dim(1)})});
  return e.cast(e.op("Abs", {e.op("Mul", {share, pair.b})}), pair.dtype);
}

Tensor ldexp(Emit& e, Tensor self, Tensor other) {
  const Tensor exponent = floats(e, other);
  const Tensor power = compute(e, "Pow", {like(e, exponent, 2), exponent});
  const Operands x = operands(e, self, power);
  return e.op("Mul", {x.a, x.b});
}

// 2^k of whole k, exactly: runtimes round Pow. Too small ones are 0, too large ones infinite.
Value* power_of_two(Emit& e, Value* exponent) {
  constexpr int kMost = 1100;
  static const onnx::DataPtr kPowers = [] {
    std::vector<double> powers;
    for (int k = -kMost; k <= kMost; ++k) powers.push_back(std::ldexp(1.0, k));
    return onnx::Data::of<double>(DType::f64, {2 * kMost + 1}, powers);
  }();
  onnx::Value* place = e.cast(e.op("Add", {exponent, like(e, exponent, kMost)}), DType::i64);
  return e.gather(e.constant(kPowers), place, 0);
}

// |x| as mantissa * 2^exponent, the mantissa from 0.5 to 1; of 1 where x is 0 or not finite. All in f64.
struct Parts {
  Value *finite, *mantissa, *exponent;
};
Parts parts_of(Emit& e, Value* x) {
  constexpr double kTiny = 0x1p-900, kLift = 200;
  Value* odd =
      e.op("Or", {e.op("Or", {e.op("IsNaN", {x}), e.op("IsInf", {x})}), e.op("Equal", {x, like(e, x, 0)})});
  Value* size = e.op("Where", {odd, like(e, x, 1), e.op("Abs", {x})});
  Value* lift = e.op("Mul", {e.cast(e.op("Less", {size, like(e, x, kTiny)}), DType::f64), like(e, x, kLift)});
  Value* lifted = e.op("Mul", {size, power_of_two(e, lift)});
  Value* guess = e.op(
      "Floor",
      {e.op("Add", {e.op("Div", {e.op("Log", {lifted}), like(e, x, std::numbers::ln2)}), like(e, x, 1)})});
  Value* near = e.op("Mul", {lifted, power_of_two(e, e.op("Neg", {guess}))});
  // The logarithm may be rounded to either side of a power of two.
  Value* over = e.cast(e.op("GreaterOrEqual", {near, like(e, x, 1)}), DType::f64);
  Value* under = e.cast(e.op("Less", {near, like(e, x, 0.5)}), DType::f64);
  Value* change = e.op("Sub", {over, under});
  Value* mantissa = e.op("Mul", {near, power_of_two(e, e.op("Neg", {change}))});
  return {e.op("Not", {odd}), mantissa, e.op("Sub", {e.op("Add", {guess, change}), lift})};
}

std::vector<Tensor> frexp(Emit& e, Tensor self) {
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  Value* x = e.cast(self, DType::f64);
  const Parts parts = parts_of(e, x);
  Value* negative = e.op("Less", {x, like(e, x, 0)});
  Value* mantissa = e.op("Where", {negative, e.op("Neg", {parts.mantissa}), parts.mantissa});
  Value* exponent = e.op("Where", {parts.finite, parts.exponent, like(e, x, 0)});
  return {e.cast(e.op("Where", {parts.finite, mantissa, x}), self.dtype()), e.cast(exponent, DType::i32)};
}

Tensor nextafter(Emit& e, Tensor self, Tensor other) {
  const Operands in = operands(e, self, other);
  const DType dtype = in.dtype();
  if (dtype != DType::f32 && dtype != DType::f64) throw Unsupported("only f32 and f64 are supported");
  const bool wide = dtype == DType::f64;
  const double digits = wide ? 53 : 24, least = wide ? -1074 : -149;
  const double largest =
      wide ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
  Value *x = e.cast(in.a, DType::f64), *goal = e.cast(in.b, DType::f64);
  auto number = [&](double n) { return e.scalar(DType::f64, n); };
  auto where = [&](Value* c, Value* a, Value* b) { return e.op("Where", {c, a, b}); };

  const Parts parts = parts_of(e, x);
  Value* unit = e.op("Max", {e.op("Sub", {parts.exponent, number(digits)}), number(least)});
  Value* narrower =
      e.op("And", {e.op("Equal", {parts.mantissa, number(0.5)}), e.op("Greater", {unit, number(least)})});
  Value* size = e.op("Abs", {x});
  Value* larger = e.op("Add", {size, power_of_two(e, unit)});
  Value* smaller = e.op("Sub", {size, power_of_two(e, e.op("Sub", {unit, e.cast(narrower, DType::f64)}))});
  smaller = where(e.op("IsInf", {x}), number(largest), smaller);
  Value* zero = number(0);
  Value *negative = e.op("Less", {x, zero}), *up = e.op("Greater", {goal, x});
  Value* moved = where(e.op("Xor", {negative, up}), larger, smaller);
  Value* signed_result = where(negative, e.op("Neg", {moved}), moved);
  Value* from_zero = where(up, number(std::ldexp(1.0, static_cast<int>(least))),
                           number(-std::ldexp(1.0, static_cast<int>(least))));
  Value* result = where(e.op("Equal", {x, zero}), from_zero, signed_result);
  result = where(e.op("Equal", {x, goal}), goal, result);
  return e.cast(where(e.op("IsNaN", {x}), x, where(e.op("IsNaN", {goal}), goal, result)), dtype);
}

constexpr Declaration kNumberParts[] = {
    op<gcd>("aten::gcd(Tensor self, Tensor other) -> Tensor",
            {.doc = "Greatest common divisors.", .result = Result::same}),
    op<lcm>("aten::lcm(Tensor self, Tensor other) -> Tensor",
            {.doc = "Least common multiples.", .result = Result::same}),
    op<ldexp>("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", {.doc = "x * 2^y."}),
    op<frexp>("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
              {.doc = "Mantissas from 0.5 to 1, and exponents of 2.", .result = Result::with_exponents}),
    op<nextafter>("aten::nextafter(Tensor self, Tensor other) -> Tensor",
                  {.doc = "The next number of the dtype, towards another."}),
};

}  // namespace

std::span<const Declaration> number_parts_ops() { return kNumberParts; }

}  // namespace cameo::aten
