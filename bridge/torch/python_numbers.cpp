#include "python_numbers.h"

#include <cmath>

namespace cameo::torch {
namespace {

using Numbers = std::span<const c10::IValue>;

bool is_float(const c10::IValue& value) { return value.isDouble(); }
double real(const c10::IValue& value) { return value.toScalar().toDouble(); }
std::int64_t whole(const c10::IValue& value) { return value.toScalar().toLong(); }

// The function of integers, or the one of floats if an argument is a float.
template <class I, class F>
c10::IValue either(Numbers n, I integers, F floats) {
  if (is_float(n[0]) || is_float(n[1])) return floats(real(n[0]), real(n[1]));
  return integers(whole(n[0]), whole(n[1]));
}

template <class F>
c10::IValue both(Numbers n, F function) {
  return either(n, function, function);
}

void check_divisor(bool zero) { TORCH_CHECK(!zero, "a division by zero"); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  check_divisor(b == 0);
  return a / b - static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0));
}
double floor_div(double a, double b) {
  check_divisor(b == 0);
  return std::floor(a / b);
}

c10::IValue power(Numbers n) {
  if (is_float(n[0]) || is_float(n[1]) || whole(n[1]) < 0) return std::pow(real(n[0]), real(n[1]));
  std::int64_t result = 1;
  for (std::int64_t i = 0, base = whole(n[0]); i < whole(n[1]); ++i) result *= base;
  return result;
}

c10::IValue sum(Numbers n) {
  c10::IValue total = std::int64_t{0};
  const auto add = [](auto a, auto b) { return a + b; };
  for (const c10::IValue& item : n[0].toListRef()) total = both(std::array{total, item}, add);
  return total;
}

template <double (*function)(double)>
c10::IValue of_real(Numbers n) {
  return function(real(n[0]));
}
template <double (*function)(double)>
c10::IValue to_whole(Numbers n) {
  return static_cast<std::int64_t>(function(real(n[0])));
}

struct NumberRow {
  std::string_view target;
  NumberFunction function;
};

constexpr NumberRow kArithmetic[] = {
    {"_operator.add", [](Numbers n) { return both(n, [](auto a, auto b) { return a + b; }); }},
    {"_operator.sub", [](Numbers n) { return both(n, [](auto a, auto b) { return a - b; }); }},
    {"_operator.mul", [](Numbers n) { return both(n, [](auto a, auto b) { return a * b; }); }},
    {"_operator.floordiv", [](Numbers n) { return both(n, [](auto a, auto b) { return floor_div(a, b); }); }},
    {"_operator.mod",
     [](Numbers n) { return both(n, [](auto a, auto b) { return a - floor_div(a, b) * b; }); }},
    {"_operator.truediv",
     [](Numbers n) {
       check_divisor(real(n[1]) == 0);
       return c10::IValue(real(n[0]) / real(n[1]));
     }},
    {"_operator.pow", power},
    {"_operator.neg", [](Numbers n) { return is_float(n[0]) ? c10::IValue(-real(n[0])) : -whole(n[0]); }},
    {"_operator.pos", [](Numbers n) { return n[0].isBool() ? c10::IValue(whole(n[0])) : n[0]; }},
    {"_operator.eq", [](Numbers n) { return both(n, [](auto a, auto b) { return a == b; }); }},
    {"_operator.ne", [](Numbers n) { return both(n, [](auto a, auto b) { return a != b; }); }},
    {"_operator.lt", [](Numbers n) { return both(n, [](auto a, auto b) { return a < b; }); }},
    {"_operator.le", [](Numbers n) { return both(n, [](auto a, auto b) { return a <= b; }); }},
    {"_operator.gt", [](Numbers n) { return both(n, [](auto a, auto b) { return a > b; }); }},
    {"_operator.ge", [](Numbers n) { return both(n, [](auto a, auto b) { return a >= b; }); }},
    {"_operator.lshift", [](Numbers n) { return c10::IValue(whole(n[0]) << whole(n[1])); }},
    {"_operator.rshift", [](Numbers n) { return c10::IValue(whole(n[0]) >> whole(n[1])); }},
};

// The result of a bitwise operator is a bool if both arguments are.
c10::IValue bitwise(Numbers n, std::int64_t result) {
  return n[0].isBool() && n[1].isBool() ? c10::IValue(result != 0) : c10::IValue(result);
}

constexpr NumberRow kOtherFunctions[] = {
    {"_operator.and_", [](Numbers n) { return bitwise(n, whole(n[0]) & whole(n[1])); }},
    {"_operator.or_", [](Numbers n) { return bitwise(n, whole(n[0]) | whole(n[1])); }},
    {"_operator.xor", [](Numbers n) { return bitwise(n, whole(n[0]) ^ whole(n[1])); }},
    {"_operator.not_", [](Numbers n) { return c10::IValue(real(n[0]) == 0); }},
    {"torch.sym_not", [](Numbers n) { return c10::IValue(real(n[0]) == 0); }},
    {"torch.sym_int", to_whole<std::trunc>},
    {"torch.sym_float", [](Numbers n) { return c10::IValue(real(n[0])); }},
    {"torch.sym_max", [](Numbers n) { return both(n, [](auto a, auto b) { return std::max(a, b); }); }},
    {"torch.sym_min", [](Numbers n) { return both(n, [](auto a, auto b) { return std::min(a, b); }); }},
    {"torch.sym_ite", [](Numbers n) { return real(n[0]) != 0 ? n[1] : n[2]; }},
    {"torch.sym_sum", sum},
    {"torch.sym_sqrt", of_real<std::sqrt>},
    {"torch._sym_sqrt", of_real<std::sqrt>},
    {"math.sqrt", of_real<std::sqrt>},
    {"math.exp", of_real<std::exp>},
    {"math.log", of_real<std::log>},
    {"math.trunc", to_whole<std::trunc>},
    {"math.floor", to_whole<std::floor>},
    {"math.ceil", to_whole<std::ceil>},
    {"builtins.round", to_whole<std::nearbyint>},
    {"round", to_whole<std::nearbyint>},
};

}  // namespace

NumberFunction find_number_function(std::string_view target) {
  for (const NumberRow& row : kArithmetic)
    if (row.target == target) return row.function;
  for (const NumberRow& row : kOtherFunctions)
    if (row.target == target) return row.function;
  return nullptr;
}

}  // namespace cameo::torch
