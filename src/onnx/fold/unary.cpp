#include <algorithm>
#include <cmath>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"

namespace cameo::onnx {
namespace {

template <class F>
Folded each_float(const Folding& f, F compute) {
  Folded result;
  if (!is_floating(f.input(0).dtype())) return result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    if constexpr (!std::is_integral_v<T>) {
      std::vector<T> elements = read<T>(f.input(0));
      for (T& x : elements) x = compute(x);
      result.push_back(make<T>(f.input(0).dtype(), f.input(0).shape(), elements));
    }
  });
  return result;
}

template <class F>
Folded each_number(const Folding& f, F compute) {
  Folded result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    std::vector<T> elements = read<T>(f.input(0));
    for (T& x : elements) x = compute(x);
    result.push_back(make<T>(f.input(0).dtype(), f.input(0).shape(), elements));
  });
  return result;
}

template <class F>
Folded each_predicate(const Folding& f, F compute) {
  Folded result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    std::vector<std::uint64_t> truths;
    for (T x : read<T>(f.input(0))) truths.push_back(compute(x) ? 1 : 0);
    result.push_back(make(DType::boolean, f.input(0).shape(), truths));
  });
  return result;
}

constexpr FoldRow kUnary[] = {
    {"Abs",
     [](const Folding& f) {
       return each_number(f, []<class T>(T x) -> T {
         if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
         if constexpr (std::is_signed_v<T>)
           return x < 0 ? static_cast<T>(Modular<T>{0} - static_cast<Modular<T>>(x)) : x;
         return x;
       });
     }},
    {"Neg",
     [](const Folding& f) {
       return each_number(f, []<class T>(T x) -> T {
         if constexpr (std::is_floating_point_v<T>) return -x;
         return static_cast<T>(Modular<T>{0} - static_cast<Modular<T>>(x));
       });
     }},
    {"Sign",
     [](const Folding& f) {
       return each_number(f, []<class T>(T x) -> T {
         if (x > T{0}) return T{1};
         if constexpr (std::is_signed_v<T> || std::is_floating_point_v<T>)
           if (x < T{0}) return static_cast<T>(-1);
         return x - x;  // NOLINT(misc-redundant-expression): a NaN stays one
       });
     }},
    {"Relu",
     [](const Folding& f) { return each_number(f, [](auto x) { return std::max(x, decltype(x){0}); }); }},
    {"Floor", [](const Folding& f) { return each_float(f, [](auto x) { return std::floor(x); }); }},
    {"Ceil", [](const Folding& f) { return each_float(f, [](auto x) { return std::ceil(x); }); }},
    {"Round", [](const Folding& f) { return each_float(f, [](auto x) { return std::nearbyint(x); }); }},
    {"Sqrt", [](const Folding& f) { return each_float(f, [](auto x) { return std::sqrt(x); }); }},
    {"Reciprocal", [](const Folding& f) { return each_float(f, [](auto x) { return 1 / x; }); }},
    {"Exp", [](const Folding& f) { return each_float(f, [](auto x) { return std::exp(x); }); }},
    {"Log", [](const Folding& f) { return each_float(f, [](auto x) { return std::log(x); }); }},
    {"Sin", [](const Folding& f) { return each_float(f, [](auto x) { return std::sin(x); }); }},
    {"Cos", [](const Folding& f) { return each_float(f, [](auto x) { return std::cos(x); }); }},
    {"Tan", [](const Folding& f) { return each_float(f, [](auto x) { return std::tan(x); }); }},
    {"Asin", [](const Folding& f) { return each_float(f, [](auto x) { return std::asin(x); }); }},
    {"Acos", [](const Folding& f) { return each_float(f, [](auto x) { return std::acos(x); }); }},
    {"Atan", [](const Folding& f) { return each_float(f, [](auto x) { return std::atan(x); }); }},
    {"Sinh", [](const Folding& f) { return each_float(f, [](auto x) { return std::sinh(x); }); }},
    {"Cosh", [](const Folding& f) { return each_float(f, [](auto x) { return std::cosh(x); }); }},
    {"Tanh", [](const Folding& f) { return each_float(f, [](auto x) { return std::tanh(x); }); }},
    {"Asinh", [](const Folding& f) { return each_float(f, [](auto x) { return std::asinh(x); }); }},
    {"Acosh", [](const Folding& f) { return each_float(f, [](auto x) { return std::acosh(x); }); }},
    {"Atanh", [](const Folding& f) { return each_float(f, [](auto x) { return std::atanh(x); }); }},
    {"Erf", [](const Folding& f) { return each_float(f, [](auto x) { return std::erf(x); }); }},
    {"Sigmoid",
     [](const Folding& f) { return each_float(f, [](auto x) { return 1 / (1 + std::exp(-x)); }); }},
    {"IsNaN",
     [](const Folding& f) {
       return each_predicate(f, [](auto x) { return x != x; });  // NOLINT(misc-redundant-expression)
     }},
    {"IsInf",
     [](const Folding& f) {
       const bool positive = f.integer_attribute("detect_positive", 1) != 0;
       const bool negative = f.integer_attribute("detect_negative", 1) != 0;
       return each_predicate(f, [=](auto x) {
         if constexpr (std::is_floating_point_v<decltype(x)>)
           return std::isinf(x) && (x > 0 ? positive : negative);
         return false;
       });
     }},
    {"Not", [](const Folding& f) { return each_predicate(f, [](auto x) { return x == 0; }); }},
    {"BitwiseNot",
     [](const Folding& f) {
       if (!is_integral(f.input(0).dtype())) return Folded{};
       return each_number(f, []<class T>(T x) -> T {
         if constexpr (std::is_integral_v<T>) return ~x;
         return x;
       });
     }},
};

}  // namespace

std::span<const FoldRow> unary_folds() { return kUnary; }

}  // namespace cameo::onnx
