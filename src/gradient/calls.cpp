// PyTorch operators whose derivative is not that of the nodes which compute them: nodes that trade digits, norms
// at 0, choices by index.
#include <cmath>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

// The derivative of a function y(x), times g.
using CallSlope = Expr (*)(const Expr& x, const Expr& y, const Expr& g);

template <CallSlope kSlope>
void function(const CallStep& s) {
  const Expr y = s.out();
  s.give("self", kSlope(cast_like(s.tensor("self"), y), y, s.grad()));
}

Expr of_acos(const Expr& x, const Expr&, const Expr& g) { return -g / sqrt(1 - x * x); }
Expr of_acosh(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(x * x - 1); }
Expr of_asin(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(1 - x * x); }
Expr of_asinh(const Expr& x, const Expr&, const Expr& g) { return g / sqrt(x * x + 1); }
Expr of_atan(const Expr& x, const Expr&, const Expr& g) { return g / (x * x + 1); }
Expr of_atanh(const Expr& x, const Expr&, const Expr& g) { return g / (1 - x * x); }
Expr of_cosh(const Expr& x, const Expr&, const Expr& g) { return g * ((exp(x) - exp(-x)) * 0.5); }
Expr of_erf(const Expr& x, const Expr&, const Expr& g) {
  return g * exp(-(x * x)) * (2 * std::numbers::inv_sqrtpi);
}
Expr of_erfc(const Expr& x, const Expr& y, const Expr& g) { return -of_erf(x, y, g); }
Expr of_erfinv(const Expr&, const Expr& y, const Expr& g) {
  return g * exp(y * y) * (0.5 / std::numbers::inv_sqrtpi);
}
Expr of_exp2(const Expr&, const Expr& y, const Expr& g) { return g * y * std::numbers::ln2; }
Expr of_expm1(const Expr&, const Expr& y, const Expr& g) { return g * (y + 1); }
Expr of_log1p(const Expr& x, const Expr&, const Expr& g) { return g / (x + 1); }
Expr of_log2(const Expr& x, const Expr&, const Expr& g) { return g / (x * std::numbers::ln2); }
Expr of_log10(const Expr& x, const Expr&, const Expr& g) { return g / (x * std::numbers::ln10); }
Expr of_log_sigmoid(const Expr& x, const Expr&, const Expr& g) { return g * sigmoid(-x); }
Expr of_rsqrt(const Expr&, const Expr& y, const Expr& g) { return g * (y * y * y) * -0.5; }
Expr of_sinh(const Expr& x, const Expr&, const Expr& g) { return g * ((exp(x) + exp(-x)) * 0.5); }
Expr of_tan(const Expr&, const Expr& y, const Expr& g) { return g * (y * y + 1); }

void softplus(const CallStep& s) {
  const double beta = s.number("beta").value_or(1), threshold = s.number("threshold").value_or(20);
  const Expr x = s.tensor("self"), scaled = x * beta;
  const Expr slope = where(scaled > threshold, s.grad(), s.grad() * sigmoid(scaled));
  s.give("self", slope);
}

void gelu(const CallStep& s) {
  const Expr x = s.tensor("self");
  const aten::Arg* approximate = s.recorded.call.argument("approximate");
  const std::string* form = approximate ? approximate->get_if<std::string>() : nullptr;
  if (form && *form == "tanh") {
    const double k = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    const Expr square = x * x, t = tanh((x + x * square * 0.044715) * k);
    const Expr inner = (square * (3 * 0.044715) + 1) * k;
    return s.give("self", s.grad() * ((t + 1) * 0.5 + x * 0.5 * (1 - t * t) * inner));
  }
  // y / x is the normal distribution, except at 0.
  const Expr at_zero = equal(x, 0), normal = where(at_zero, 0.5, s.out() / where(at_zero, 1, x));
  const Expr density = exp(x * x * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
  s.give("self", s.grad() * (normal + x * density));
}

void angle(const CallStep& s) {
  const Expr y = cast_like(s.tensor("self"), s.out()), x = cast_like(s.tensor("other"), s.out());
  const Expr square = x * x + y * y;
  const Expr part = where(equal(square, 0), 0, s.grad() / where(equal(square, 0), 1, square));
  s.give("self", part * x);
  s.give("other", -(part * y));
}

// The reduction that a call makes, with the gradient of its result as large as the tensor.
struct CallReduction {
  CallReduction(const CallStep& s, std::string_view name)
      : x(cast_like(s.tensor("self"), s.out())),
        axes(aten::axes_of(x, s.axes(name))),
        kept(s.number("keepdim").value_or(0) != 0 || x.rank() == 0) {}
  Expr whole(const Expr& reduced) const { return spread(reduced, axes, kept, x.shape()); }

  Expr x;
  Axes axes;
  bool kept;
};

// As PyTorch, 0 where a norm has no derivative.
void norm(const CallStep& s) {
  const aten::Arg *p = s.recorded.call.argument("p"), *ord = s.recorded.call.argument("ord");
  const aten::Arg* order = p ? p : ord;
  const bool by_default = !order || order->is_none() || order->get_if<std::string>();
  const std::optional<double> given = p ? s.number("p") : s.number("ord");
  if (!by_default && !given) throw aten::Unsupported("the order of a norm must be known at export time");
  const double power_of = given.value_or(2);
  const CallReduction r(s, "dim");
  const bool matrix = given && s.recorded.call.op->schema.name != "aten::norm" && ord &&
                      s.recorded.call.op->schema.name != "aten::linalg_vector_norm" && r.axes.size() == 2;
  if (matrix) throw aten::Unsupported("the derivative of this norm of matrices is not supported");
  const Expr y = r.whole(s.out()), g = r.whole(s.grad()), x = r.x;
  if (power_of == 0) return s.give("self", zeros(s.e, x));
  if (power_of == 1) return s.give("self", g * sign(x));
  if (power_of == 2) return s.give("self", where(equal(y, 0), 0, g * (x / y)));
  if (std::isinf(power_of)) {
    const Expr chosen = cast_like(equal(abs(x), y), x);
    return s.give("self", sign(x) * chosen * (g / aten::reduce_sum(chosen, r.axes, true)));
  }
  const Expr size = abs(x), scale = where(equal(y, 0), 0, power(y, 1 - power_of));
  const Expr slope = where(equal(x, 0), 0, sign(x) * power(size, power_of - 1));
  s.give("self", g * slope * scale);
}

void standard_deviation(const CallStep& s) {
  const aten::Arg* dim = s.recorded.call.argument("dim");
  const Expr y0 = s.out();
  CallReduction r(s, dim ? "dim" : "");
  double correction = 1;
  if (const std::optional<double> unbiased = s.number("unbiased")) correction = *unbiased;
  if (const std::optional<double> given = s.number("correction")) correction = *given;
  const Expr y = r.whole(y0), g = r.whole(s.grad());
  const Expr centred = r.x - aten::reduce_mean(r.x, r.axes, true);
  const Expr number = r.x.number(count(r.x, r.axes)) - correction;
  s.give("self", where(equal(y, 0), 0, g * (centred / (y * number))));
}

void product(const CallStep& s) {
  const CallReduction r(s, s.recorded.call.argument("dim") ? "dim" : "");
  const Expr is_zero = equal(r.x, 0), filled = where(is_zero, 1, r.x);
  const Expr zeros_beside = aten::reduce_sum(cast_like(is_zero, r.x), r.axes, true) - cast_like(is_zero, r.x);
  const Expr others = aten::reduce_product(filled, r.axes, true) / filled;
  s.give("self", where(equal(zeros_beside, 0), r.whole(s.grad()) * others, 0));
}

// The element whose index is the second result.
void chosen_element(const CallStep& s) {
  const Expr x = s.tensor("self");
  if (x.rank() == 0) return s.give("self", s.grad());
  const CallReduction r(s, "dim");
  const Expr places = r.kept ? s.out(1) : unsqueeze(s.out(1), r.axes);
  const Expr g = r.kept ? s.grad() : unsqueeze(s.grad(), r.axes);
  s.give("self", s.e.op("ScatterElements", {zeros(s.e, x), places, g}, {{"axis", r.axes.at(0)}}));
}

Expr matrices_turned(const Expr& x) {
  Axes order = aten::all_axes(x);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(x, order);
}

void inverse(const CallStep& s) {
  const Expr turned_back = matrices_turned(s.out());
  const std::string_view name = s.is_tensor("A") ? "A" : "self";
  s.give(name, -matmul(matmul(turned_back, s.grad()), turned_back));
}

// p = 2 only: elsewhere the nodes themselves have the derivative.
void distances(const CallStep& s) {
  const double p = s.number("p").value_or(2);
  const Expr a = s.tensor("x1"), b = s.tensor("x2");
  const Expr between = unsqueeze(a, {a.rank() - 1}) - unsqueeze(b, {b.rank() - 2});
  const Axes last{between.rank() - 1};
  const Expr y = unsqueeze(s.out(), last), g = unsqueeze(s.grad(), last);
  if (p != 2) throw aten::Unsupported("the derivative of distances is supported for p = 2 only");
  const Expr slope = where(equal(y, 0), 0, g * (between / y));
  s.give("x1", aten::reduce_sum(slope, {between.rank() - 2}));
  s.give("x2", -aten::reduce_sum(slope, {between.rank() - 3}));
}

void not_known(const CallStep&) {
  throw aten::Unsupported("the derivative of this function is not supported");
}

constexpr CallRow kCalls[] = {
    {"aten::acos", function<of_acos>},
    {"aten::acosh", function<of_acosh>},
    {"aten::arctan2", angle},
    {"aten::asin", function<of_asin>},
    {"aten::asinh", function<of_asinh>},
    {"aten::atan", function<of_atan>},
    {"aten::atan2", angle},
    {"aten::atanh", function<of_atanh>},
    {"aten::cdist", distances},
    {"aten::cosh", function<of_cosh>},
    {"aten::digamma", not_known},
    {"aten::erf", function<of_erf>},
    {"aten::erfc", function<of_erfc>},
    {"aten::erfinv", function<of_erfinv>},
    {"aten::exp2", function<of_exp2>},
    {"aten::expm1", function<of_expm1>},
    {"aten::frobenius_norm", norm},
    {"aten::gelu", gelu},
    {"aten::i0", not_known},
    {"aten::inverse", inverse},
    {"aten::lgamma", not_known},
    {"aten::linalg_inv", inverse},
    {"aten::linalg_inv_ex", inverse},
    {"aten::linalg_norm", norm},
    {"aten::linalg_vector_norm", norm},
    {"aten::log10", function<of_log10>},
    {"aten::log1p", function<of_log1p>},
    {"aten::log2", function<of_log2>},
    {"aten::log_sigmoid", function<of_log_sigmoid>},
    {"aten::max.dim", chosen_element},
    {"aten::min.dim", chosen_element},
    {"aten::norm", norm},
    {"aten::polygamma", not_known},
    {"aten::prod", product},
    {"aten::rsqrt", function<of_rsqrt>},
    {"aten::sinh", function<of_sinh>},
    {"aten::softplus", softplus},
    {"aten::std", standard_deviation},
    {"aten::tan", function<of_tan>},
};

}  // namespace

std::span<const CallRow> call_rules() { return kCalls; }

}  // namespace cameo::gradient
