#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
  return false;
}

template <class T>
std::vector<T> operand(const Folding& f, std::size_t input, const Ints& shape) {
  return read<T>(*broadcast(f.input_ptr(input), shape));
}

// compute(a, b) gives the number, or nothing where a runtime's answer is not defined.
template <class F>
Folded arithmetic(const Folding& f, F compute) {
  Folded result;
  const auto shape = f.shape();
  if (!shape) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    std::vector<T> total = operand<T>(f, 0, *shape);
    for (std::size_t input = 1; input < f.inputs(); ++input) {
      const std::vector<T> next = operand<T>(f, input, *shape);
      for (std::size_t i = 0; i < total.size(); ++i) {
        const std::optional<T> number = compute(total[i], next[i]);
        if (!number) return;
        total[i] = *number;
      }
      // Each sum is rounded to the element type. Runtimes compute bf16 in f32, and round once.
      if (input + 1 < f.inputs() && f.input(0).dtype() != DType::bf16)
        total = read<T>(*make<T>(f.input(0).dtype(), *shape, total));
    }
    result.push_back(make<T>(f.input(0).dtype(), *shape, total));
  });
  return result;
}

template <class F>
Folded compare(const Folding& f, F holds) {
  Folded result;
  const auto shape = f.shape();
  if (!shape) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    const std::vector<T> a = operand<T>(f, 0, *shape);
    const std::vector<T> b = operand<T>(f, 1, *shape);
    std::vector<std::uint64_t> truths(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) truths[i] = holds(a[i], b[i]) ? 1 : 0;
    result.push_back(make(DType::boolean, *shape, truths));
  });
  return result;
}

struct Divide {
  template <class T>
  std::optional<T> operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      if (b == 0) return std::nullopt;
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return static_cast<T>(Modular<T>{0} - static_cast<Modular<T>>(a));
      return a / b;
    }
  }
};

struct Modulo {
  bool fmod;
  template <class T>
  std::optional<T> operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else {
      if (b == 0) return std::nullopt;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return T{0};
        const T rest = a % b;
        return !fmod && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
      } else {
        return a % b;
      }
    }
  }
};

template <class T>
std::optional<T> power(T base, T exponent) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(base, exponent);
  } else {
    if constexpr (std::is_signed_v<T>)
      if (exponent < 0) return std::nullopt;
    std::uint64_t result = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left >>= 1) {
      if (left & 1u) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  }
}

template <class F>
Folded bits(const Folding& f, F compute) {
  if (!is_integral(f.input(0).dtype())) return {};
  return arithmetic(f, [compute]<class T>(T a, T b) -> std::optional<T> {
    if constexpr (std::is_integral_v<T>) return compute(a, b);
    return std::nullopt;
  });
}

Folded shift(const Folding& f) {
  const bool left = f.string_attribute("direction", "") == "LEFT";
  return arithmetic(f, [left]<class T>(T a, T b) -> std::optional<T> {
    if constexpr (std::is_unsigned_v<T>) {
      if (b >= std::numeric_limits<T>::digits) return T{0};
      return left ? a << b : a >> b;
    }
    return std::nullopt;
  });
}

Folded clip(const Folding& f) {
  Folded result;
  for (std::size_t bound : {1u, 2u})
    if (f.has(bound) && f.input(bound).numel() != 1) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    std::vector<T> elements = read<T>(f.input(0));
    if (f.has(1))
      for (const T least = read<T>(f.input(1))[0]; T & x : elements) x = x < least ? least : x;
    if (f.has(2))
      for (const T most = read<T>(f.input(2))[0]; T & x : elements) x = x > most ? most : x;
    result.push_back(make<T>(f.input(0).dtype(), f.input(0).shape(), elements));
  });
  return result;
}

// Integers in their unsigned form, so that they wrap.
template <class F>
Folded wrapping(const Folding& f, F compute) {
  return arithmetic(f, [compute]<class T>(T a, T b) -> std::optional<T> {
    return static_cast<T>(compute(static_cast<Modular<T>>(a), static_cast<Modular<T>>(b)));
  });
}

constexpr FoldRow kBinary[] = {
    {"Add", [](const Folding& f) { return wrapping(f, std::plus{}); }},
    {"Sum", [](const Folding& f) { return wrapping(f, std::plus{}); }},
    {"Sub", [](const Folding& f) { return wrapping(f, std::minus{}); }},
    {"Mul", [](const Folding& f) { return wrapping(f, std::multiplies{}); }},
    {"Div", [](const Folding& f) { return arithmetic(f, Divide{}); }},
    {"Mod", [](const Folding& f) { return arithmetic(f, Modulo{f.integer_attribute("fmod", 0) != 0}); }},
    {"Pow",
     [](const Folding& f) {
       if (f.input(0).dtype() != f.input(1).dtype()) return Folded{};
       return arithmetic(f, [](auto a, auto b) { return power(a, b); });
     }},
    {"Min",
     [](const Folding& f) {
       return arithmetic(f, [](auto a, auto b) { return std::optional(is_nan(a) || a < b ? a : b); });
     }},
    {"Max",
     [](const Folding& f) {
       return arithmetic(f, [](auto a, auto b) { return std::optional(is_nan(a) || a > b ? a : b); });
     }},
    {"Equal", [](const Folding& f) { return compare(f, std::equal_to{}); }},
    {"Less", [](const Folding& f) { return compare(f, std::less{}); }},
    {"LessOrEqual", [](const Folding& f) { return compare(f, std::less_equal{}); }},
    {"Greater", [](const Folding& f) { return compare(f, std::greater{}); }},
    {"GreaterOrEqual", [](const Folding& f) { return compare(f, std::greater_equal{}); }},
    {"And", [](const Folding& f) { return compare(f, [](auto a, auto b) { return a != 0 && b != 0; }); }},
    {"Or", [](const Folding& f) { return compare(f, [](auto a, auto b) { return a != 0 || b != 0; }); }},
    {"Xor", [](const Folding& f) { return compare(f, [](auto a, auto b) { return (a != 0) != (b != 0); }); }},
    {"BitwiseAnd", [](const Folding& f) { return bits(f, std::bit_and{}); }},
    {"BitwiseOr", [](const Folding& f) { return bits(f, std::bit_or{}); }},
    {"BitwiseXor", [](const Folding& f) { return bits(f, std::bit_xor{}); }},
    {"BitShift", shift},
    {"Clip", clip},
};

}  // namespace

std::span<const FoldRow> binary_folds() { return kBinary; }

}  // namespace cameo::onnx
