// Arithmetic, comparison and logic on numbers.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include <fmt/core.h>

#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace numbers {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;
using Complex = std::complex<double>;

bool plain(const Value& v) { return v.is_number() || v.is_bool(); }

bool numbers(Args args, std::size_t count) {
  if (args.positional.size() < count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (!plain(args.positional[i])) return false;
  return true;
}

// A bool counts as an int.
Value widened(const Value& v) {
  const bool* b = v.get_if<bool>();
  return b ? Value(std::int64_t{*b}) : v;
}

std::optional<double> real(const Value& v) {
  if (const bool* b = v.get_if<bool>()) return *b;
  if (const double* d = v.get_if<double>()) return *d;
  if (const Dim* dim = v.get_if<Dim>())
    if (std::optional<std::int64_t> known = dim->as_constant()) return static_cast<double>(*known);
  return std::nullopt;
}

std::optional<Complex> complex(const Value& v) {
  if (const Complex* c = v.get_if<Complex>()) return *c;
  if (std::optional<double> d = real(v)) return Complex(*d);
  return std::nullopt;
}

onnx::Value* f64(Evaluation& ev, const Value& v) { return ev.emit.cast(ev.values.tensor(v), DType::f64); }

// An operation on two numbers: on formulas, on known floats, or as a node for runtime values.
template <class OnInts, class OnFloats>
Value arithmetic(Evaluation& ev, const Value& left, const Value& right, OnInts ints, OnFloats floats,
                 const char* node) {
  Value a = widened(left), b = widened(right);
  if (a.is_int() && b.is_int()) return ints(*a.get_if<Dim>(), *b.get_if<Dim>());
  if (a.is<Complex>() || b.is<Complex>())
    throw aten::Unsupported("this operation on complex numbers is not supported");
  std::optional<double> x = real(a), y = real(b);
  if (x && y) return floats(*x, *y);
  return RuntimeFloat{ev.emit.op(node, {f64(ev, a), f64(ev, b)})};
}

template <class F>
Result on_complex(Args args, F f) {
  if (!args.positional[0].is<Complex>() && !args.positional[1].is<Complex>()) return std::nullopt;
  std::optional<Complex> a = complex(args.positional[0]), b = complex(args.positional[1]);
  if (!a || !b) return std::nullopt;
  return Value(f(*a, *b));
}

Result add(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  if (Result c = on_complex(args, [](Complex a, Complex b) { return a + b; })) return c;
  return arithmetic(
      ev, args.positional[0], args.positional[1], [](Dim a, Dim b) { return a + b; },
      [](double a, double b) { return a + b; }, "Add");
}
Result sub(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  if (Result c = on_complex(args, [](Complex a, Complex b) { return a - b; })) return c;
  return arithmetic(
      ev, args.positional[0], args.positional[1], [](Dim a, Dim b) { return a - b; },
      [](double a, double b) { return a - b; }, "Sub");
}
Result mul(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  if (Result c = on_complex(args, [](Complex a, Complex b) { return a * b; })) return c;
  return arithmetic(
      ev, args.positional[0], args.positional[1], [](Dim a, Dim b) { return a * b; },
      [](double a, double b) { return a * b; }, "Mul");
}

double checked_divisor(Evaluation& ev, double d) {
  if (d == 0) ev.reporter.raise("division by zero");
  return d;
}

Result div(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  if (Result c = on_complex(args, [](Complex a, Complex b) { return a / b; })) return c;
  const Value &a = args.positional[0], &b = args.positional[1];
  std::optional<double> x = real(a), y = real(b);
  if (x && y) return Value(*x / checked_divisor(ev, *y));
  return Value(RuntimeFloat{ev.emit.op("Div", {f64(ev, a), f64(ev, b)})});
}

Result floordiv(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  Value a = widened(args.positional[0]), b = widened(args.positional[1]);
  if (a.is_int() && b.is_int()) return Value(sym::floordiv(*a.get_if<Dim>(), *b.get_if<Dim>()));
  std::optional<double> x = real(a), y = real(b);
  if (x && y) return Value(std::floor(*x / checked_divisor(ev, *y)));
  onnx::Value* quotient = ev.emit.op("Div", {f64(ev, a), f64(ev, b)});
  return Value(RuntimeFloat{ev.emit.op("Floor", {quotient})});
}

Result remainder(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  Value a = widened(args.positional[0]), b = widened(args.positional[1]);
  if (a.is_int() && b.is_int()) return Value(sym::mod(*a.get_if<Dim>(), *b.get_if<Dim>()));
  std::optional<double> x = real(a), y = real(b);
  if (x && y) {
    double r = std::fmod(*x, checked_divisor(ev, *y));
    return Value(r != 0 && (r < 0) != (*y < 0) ? r + *y : r);
  }
  onnx::Value *n = f64(ev, a), *d = f64(ev, b);
  onnx::Value* floored = ev.emit.op("Floor", {ev.emit.op("Div", {n, d})});
  return Value(RuntimeFloat{ev.emit.op("Sub", {n, ev.emit.op("Mul", {floored, d})})});
}

Result fmod(Evaluation&, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]), y = real(args.positional[1]);
  if (!x || !y) return std::nullopt;
  return Value(std::fmod(*x, *y));
}

Result pow(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  Value a = widened(args.positional[0]), b = widened(args.positional[1]);
  const Dim *base = a.get_if<Dim>(), *exponent = b.get_if<Dim>();
  if (base && exponent) {
    std::optional<std::int64_t> known = exponent->as_constant();
    if (known && *known >= 0 && *known <= 16) return Value(sym::pow(*base, *known));
    std::optional<std::int64_t> known_base = base->as_constant();
    if (known && known_base) {
      double power = std::pow(static_cast<double>(*known_base), static_cast<double>(*known));
      if (*known < 0) return Value(power);
      if (std::abs(power) < 9e18) {
        std::int64_t result = 1;
        for (std::int64_t i = 0; i < *known; ++i) result *= *known_base;
        return Value(result);
      }
    }
  }
  std::optional<double> x = real(a), y = real(b);
  if (x && y) return Value(std::pow(*x, *y));
  return Value(RuntimeFloat{ev.emit.op("Pow", {f64(ev, a), f64(ev, b)})});
}

Result neg(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  Value a = widened(args.positional[0]);
  if (const Dim* dim = a.get_if<Dim>()) return Value(-*dim);
  if (const Complex* c = a.get_if<Complex>()) return Value(-*c);
  if (std::optional<double> x = real(a)) return Value(-*x);
  return Value(RuntimeFloat{ev.emit.op("Neg", {f64(ev, a)})});
}

Result absolute(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  Value a = widened(args.positional[0]);
  if (const Dim* dim = a.get_if<Dim>()) return Value(sym::abs(*dim));
  if (const Complex* c = a.get_if<Complex>()) return Value(std::abs(*c));
  if (std::optional<double> x = real(a)) return Value(std::abs(*x));
  return Value(RuntimeFloat{ev.emit.op("Abs", {f64(ev, a)})});
}

// ---- comparison

enum class Order { lt, le, gt, ge, eq, ne };

Value compare_ints(const Dim& a, const Dim& b, Order order) {
  switch (order) {
    case Order::lt: return SymBool{sym::Relation::less, a, b};
    case Order::le: return SymBool{sym::Relation::less_equal, a, b};
    case Order::gt: return SymBool{sym::Relation::less, b, a};
    case Order::ge: return SymBool{sym::Relation::less_equal, b, a};
    case Order::eq: return SymBool{sym::Relation::equal, a, b};
    default: return SymBool{sym::Relation::not_equal, a, b};
  }
}

bool compare_floats(double a, double b, Order order) {
  switch (order) {
    case Order::lt: return a < b;
    case Order::le: return a <= b;
    case Order::gt: return a > b;
    case Order::ge: return a >= b;
    case Order::eq: return a == b;
    default: return a != b;
  }
}

// A comparison that is decided at export time is a plain bool.
Value settled(Evaluation& ev, Value v) {
  if (std::optional<bool> truth = ev.values.decide(v)) return *truth;
  return v;
}

template <Order order>
Result compare(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  const Value &left = args.positional[0], &right = args.positional[1];
  if (left.is_bool() && right.is_bool() && (!left.is<bool>() || !right.is<bool>())) {
    onnx::Value* equal = ev.emit.op("Equal", {ev.values.condition(left), ev.values.condition(right)});
    if (order == Order::eq) return Value(RuntimeBool{equal});
    if (order == Order::ne) return Value(RuntimeBool{ev.emit.op("Not", {equal})});
    return std::nullopt;
  }
  Value a = widened(left), b = widened(right);
  if (a.is_int() && b.is_int()) return settled(ev, compare_ints(*a.get_if<Dim>(), *b.get_if<Dim>(), order));
  if (a.is<Complex>() || b.is<Complex>()) {
    std::optional<Complex> x = complex(a), y = complex(b);
    if (!x || !y) return std::nullopt;
    return Value((order == Order::eq) == (*x == *y));
  }
  std::optional<double> x = real(a), y = real(b);
  if (x && y) return Value(compare_floats(*x, *y, order));
  onnx::Value *n = f64(ev, a), *m = f64(ev, b);
  onnx::Emit& e = ev.emit;
  switch (order) {
    case Order::lt: return Value(RuntimeBool{e.op("Less", {n, m})});
    case Order::le: return Value(RuntimeBool{e.op("LessOrEqual", {n, m})});
    case Order::gt: return Value(RuntimeBool{e.op("Greater", {n, m})});
    case Order::ge: return Value(RuntimeBool{e.op("GreaterOrEqual", {n, m})});
    case Order::eq: return Value(RuntimeBool{e.op("Equal", {n, m})});
    default: return Value(RuntimeBool{e.op("Not", {e.op("Equal", {n, m})})});
  }
}

// ---- logic

Result logical_not(Evaluation& ev, Args args) {
  if (args.positional.size() != 1 || !args.positional[0].is_bool()) return std::nullopt;
  const Value& v = args.positional[0];
  if (const bool* b = v.get_if<bool>()) return Value(!*b);
  if (const SymBool* s = v.get_if<SymBool>()) return Value(sym::negation(*s));
  return Value(RuntimeBool{ev.emit.op("Not", {ev.values.condition(v)})});
}

template <int Kind>  // 0 and, 1 or, 2 xor
Result logic(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  const Value &a = args.positional[0], &b = args.positional[1];
  if (!a.is_bool() || !b.is_bool()) {
    std::optional<double> x = real(a), y = real(b);
    if (!a.is_int() || !b.is_int() || !x || !y) return std::nullopt;
    std::int64_t n = *a.get_if<Dim>()->as_constant(), m = *b.get_if<Dim>()->as_constant();
    return Value(Kind == 0 ? n & m : Kind == 1 ? n | m : n ^ m);
  }
  const bool* known = a.is<bool>() ? a.get_if<bool>() : b.get_if<bool>();
  const Value& other = a.is<bool>() ? b : a;
  if (known) {
    if (Kind == 0) return *known ? other : Value(false);
    if (Kind == 1) return *known ? Value(true) : other;
    return *known ? ev.caller.call_operator("aten::__not__", {{other}, {}}) : other;
  }
  constexpr const char* kNodes[] = {"And", "Or", "Xor"};
  return Value(RuntimeBool{ev.emit.op(kNodes[Kind], {ev.values.condition(a), ev.values.condition(b)})});
}

template <bool Left>
Result shift(Evaluation&, Args args) {
  if (!numbers(args, 2) || !args.positional[0].is_int() || !args.positional[1].is_int()) return std::nullopt;
  std::int64_t a = known_int(args.positional[0], "a shifted number"),
               b = known_int(args.positional[1], "a shift");
  if (b < 0 || b > 63) throw aten::ProgramError("shift count out of range");
  return Value(Left ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b);
}

// ---- conversions

std::int64_t truncated(Evaluation& ev, double d) {
  if (!(std::abs(d) < 9.3e18)) ev.reporter.raise("cannot convert float to int");
  return static_cast<std::int64_t>(d);
}

Value number_argument(Evaluation& ev, Args args) {
  const Value& v = args.at(0);
  const CellPtr* cell = v.get_if<CellPtr>();
  return cell ? ev.values.number_from(ev.memory.cells().read(*cell)) : v;
}

Result to_int(Evaluation& ev, Args args) {
  if (args.positional.empty()) return std::nullopt;
  Value v = number_argument(ev, args);
  if (v.is_int()) return v;
  if (const bool* b = v.get_if<bool>()) return Value(std::int64_t{*b});
  if (const double* d = v.get_if<double>()) return Value(truncated(ev, *d));
  if (v.is_bool()) return Value(ev.emit.number(ev.emit.cast(ev.values.condition(v), DType::i64)));
  if (const RuntimeFloat* f = v.get_if<RuntimeFloat>())
    return Value(ev.emit.number(ev.emit.cast(f->value, DType::i64)));
  if (const std::string* text = v.get_if<std::string>()) {
    try {
      return Value(std::int64_t{std::stoll(*text)});
    } catch (const std::exception&) {
      ev.reporter.raise(fmt::format("invalid literal for int(): '{}'", *text));
    }
  }
  return std::nullopt;
}

Result to_float(Evaluation& ev, Args args) {
  if (args.positional.empty()) return std::nullopt;
  Value v = number_argument(ev, args);
  if (v.is_float()) return v;
  if (std::optional<double> known = real(v)) return Value(*known);
  if (v.is_int() || v.is_bool()) return Value(RuntimeFloat{f64(ev, v)});
  if (const std::string* text = v.get_if<std::string>()) {
    try {
      return Value(std::stod(*text));
    } catch (const std::exception&) {
      ev.reporter.raise(fmt::format("could not convert string to float: '{}'", *text));
    }
  }
  return std::nullopt;
}

Result to_bool(Evaluation& ev, Args args) {
  if (args.positional.empty()) return std::nullopt;
  Value v = number_argument(ev, args);
  if (v.is_bool()) return v;
  if (const Dim* dim = v.get_if<Dim>()) return settled(ev, SymBool{sym::Relation::not_equal, *dim, 0});
  if (std::optional<double> known = real(v)) return Value(*known != 0);
  if (v.is<RuntimeFloat>()) return Value(RuntimeBool{ev.values.condition(v)});
  return std::nullopt;
}

Result to_complex(Evaluation&, Args args) {
  if (args.positional.empty() || args.positional.size() > 2) return std::nullopt;
  std::optional<Complex> a = complex(args.positional[0]);
  std::optional<Complex> b = args.positional.size() == 2 ? complex(args.positional[1]) : Complex(0);
  if (!a || !b) return std::nullopt;
  return Value(*a + *b * Complex(0, 1));
}

// Returns the number itself: annotate(number, t) and similar forms.
Result implicit(Evaluation& ev, Args args) {
  if (args.positional.size() != 1) return std::nullopt;
  return number_argument(ev, args);
}

// ---- functions

template <double (*F)(double)>
Result unary(Evaluation&, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  if (!x) return std::nullopt;
  return Value(F(*x));
}

template <double (*F)(double)>
constexpr Builtin kUnary = unary<F>;

template <double (*F)(double), bool Integral = true>
Result rounded(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  if (args.positional[0].is_int()) return args.positional[0];
  std::optional<double> x = real(args.positional[0]);
  if (x) return Value(truncated(ev, F(*x)));
  const char* node = F == static_cast<double (*)(double)>(std::floor) ? "Floor" : "Ceil";
  return Value(ev.emit.number(ev.emit.cast(ev.emit.op(node, {f64(ev, args.positional[0])}), DType::i64)));
}

Result round_half_even(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  if (x) return Value(std::nearbyint(*x));
  return Value(RuntimeFloat{ev.emit.op("Round", {f64(ev, args.positional[0])})});
}

Result square_root(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  if (std::optional<double> x = real(args.positional[0])) return Value(std::sqrt(*x));
  return Value(RuntimeFloat{ev.emit.op("Sqrt", {f64(ev, args.positional[0])})});
}

Result exponential(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  if (std::optional<double> x = real(args.positional[0])) return Value(std::exp(*x));
  return Value(RuntimeFloat{ev.emit.op("Exp", {f64(ev, args.positional[0])})});
}

Result logarithm(Evaluation& ev, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  std::optional<double> base = args.positional.size() > 1 ? real(args.positional[1]) : std::optional(0.0);
  if (x && base) return Value(args.positional.size() > 1 ? std::log(*x) / std::log(*base) : std::log(*x));
  if (args.positional.size() > 1) return std::nullopt;
  return Value(RuntimeFloat{ev.emit.op("Log", {f64(ev, args.positional[0])})});
}

template <bool Minimum>
Result extreme(Evaluation& ev, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  return arithmetic(
      ev, args.positional[0], args.positional[1],
      [](Dim a, Dim b) { return Minimum ? sym::min(a, b) : sym::max(a, b); },
      [](double a, double b) { return Minimum ? std::min(a, b) : std::max(a, b); }, Minimum ? "Min" : "Max");
}

Result gcd(Evaluation&, Args args) {
  if (!numbers(args, 2)) return std::nullopt;
  return Value(std::gcd(known_int(args.positional[0], "an argument of gcd"),
                        known_int(args.positional[1], "an argument of gcd")));
}

// len(range(start, stop, step)) and its i-th item.
Result range_length(Evaluation& ev, Args args) {
  const Dim *lo = args.at(0).get_if<Dim>(), *hi = args.at(1).get_if<Dim>();
  if (!lo || !hi) return std::nullopt;
  std::int64_t step = known_int(args.at(2), "the step of a range");
  if (step == 0) ev.reporter.raise("range() arg 3 must not be zero");
  return Value(step > 0 ? sym::max(sym::ceildiv(*hi - *lo, step), 0)
                        : sym::max(sym::ceildiv(*lo - *hi, -step), 0));
}
Result derive_index(Evaluation&, Args args) {
  const Dim *index = args.at(0).get_if<Dim>(), *start = args.at(1).get_if<Dim>(),
            *step = args.at(2).get_if<Dim>();
  if (!index || !start || !step) return std::nullopt;
  return Value(*start + *index * *step);
}

double radians(double d) { return d * M_PI / 180; }
double degrees(double d) { return d * 180 / M_PI; }

Result isnan(Evaluation&, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  return x ? Result(Value(std::isnan(*x))) : std::nullopt;
}
Result isinf(Evaluation&, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  return x ? Result(Value(std::isinf(*x))) : std::nullopt;
}
Result isfinite(Evaluation&, Args args) {
  if (!numbers(args, 1)) return std::nullopt;
  std::optional<double> x = real(args.positional[0]);
  return x ? Result(Value(std::isfinite(*x))) : std::nullopt;
}

constexpr NamedBuiltin kNumbers[] = {
    {"aten::add", add},
    {"aten::sub", sub},
    {"aten::mul", mul},
    {"aten::div", div},
    {"aten::truediv", div},
    {"aten::floordiv", floordiv},
    {"aten::floor_divide", floordiv},
    {"aten::remainder", remainder},
    {"aten::fmod", fmod},
    {"aten::pow", pow},
    {"aten::neg", neg},
    {"aten::abs", absolute},
    {"prim::abs", absolute},
    {"aten::lt", compare<Order::lt>},
    {"aten::le", compare<Order::le>},
    {"aten::gt", compare<Order::gt>},
    {"aten::ge", compare<Order::ge>},
    {"aten::eq", compare<Order::eq>},
    {"aten::ne", compare<Order::ne>},
    {"aten::__not__", logical_not},
    {"aten::__and__", logic<0>},
    {"aten::__or__", logic<1>},
    {"aten::__xor__", logic<2>},
    {"aten::__lshift__", shift<true>},
    {"aten::__rshift__", shift<false>},
    {"aten::Int", to_int},
    {"aten::Float", to_float},
    {"aten::Bool", to_bool},
    {"aten::Complex", to_complex},
    {"aten::ScalarImplicit", implicit},
    {"aten::IntImplicit", implicit},
    {"aten::FloatImplicit", implicit},
    {"aten::floor", rounded<std::floor>},
    {"aten::ceil", rounded<std::ceil>},
    {"aten::round", round_half_even},
    {"aten::sqrt", square_root},
    {"aten::exp", exponential},
    {"aten::log", logarithm},
    {"aten::log10", kUnary<std::log10>},
    {"aten::log2", kUnary<std::log2>},
    {"aten::log1p", kUnary<std::log1p>},
    {"aten::expm1", kUnary<std::expm1>},
    {"aten::sin", kUnary<std::sin>},
    {"aten::cos", kUnary<std::cos>},
    {"aten::tan", kUnary<std::tan>},
    {"aten::asin", kUnary<std::asin>},
    {"aten::acos", kUnary<std::acos>},
    {"aten::atan", kUnary<std::atan>},
    {"aten::sinh", kUnary<std::sinh>},
    {"aten::cosh", kUnary<std::cosh>},
    {"aten::tanh", kUnary<std::tanh>},
    {"aten::asinh", kUnary<std::asinh>},
    {"aten::acosh", kUnary<std::acosh>},
    {"aten::atanh", kUnary<std::atanh>},
    {"aten::gamma", kUnary<std::tgamma>},
    {"aten::lgamma", kUnary<std::lgamma>},
    {"aten::erf", kUnary<std::erf>},
    {"aten::erfc", kUnary<std::erfc>},
    {"aten::radians", kUnary<radians>},
    {"aten::degrees", kUnary<degrees>},
    {"aten::isnan", isnan},
    {"aten::isinf", isinf},
    {"aten::isfinite", isfinite},
    {"prim::min", extreme<true>},
    {"prim::max", extreme<false>},
    {"aten::min", extreme<true>},
    {"aten::max", extreme<false>},
    {"aten::gcd", gcd},
    {"aten::__range_length", range_length},
    {"aten::__derive_index", derive_index},
};

}  // namespace
}  // namespace numbers

std::span<const NamedBuiltin> number_builtins() { return numbers::kNumbers; }

}  // namespace cameo::eval
