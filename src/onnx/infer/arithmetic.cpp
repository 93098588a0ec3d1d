#include "onnx/infer/contents.h"
#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

std::optional<Shape> broadcast_all(Inference& f, std::size_t first = 0) {
  std::optional<Shape> shape = f.shape(first);
  for (std::size_t i = first + 1; i < f.inputs(); ++i) shape = f.broadcast(shape, f.shape(i));
  return shape;
}

// The contents of an input, broadcast to the result's shape.
Elements operand(const Inference& f, std::size_t input, const Ints& shape) {
  const Elements own = f.elements(input);
  const auto from = numbers(f.shape(input));
  if (!own || !from) return std::nullopt;
  std::vector<Dim> result;
  for (std::int64_t at : broadcast_positions(*from, shape)) result.push_back(element_at(*own, at));
  return result;
}

// compute(a, b) gives a formula, or nothing.
template <class F>
void combine(Inference& f, const std::optional<Shape>& shape, F compute) {
  const auto sizes = numbers(shape);
  if (!sizes || count(*sizes) > kMaxElements) return;
  Elements total = operand(f, 0, *sizes);
  for (std::size_t input = 1; total && input < f.inputs(); ++input) {
    const Elements next = operand(f, input, *sizes);
    if (!next) return;
    for (std::size_t i = 0; i < total->size(); ++i) {
      const std::optional<Dim> number = compute((*total)[i], (*next)[i]);
      if (!number) return;
      (*total)[i] = *number;
    }
  }
  f.set_elements(std::move(total));
}

// Formulas are numbers of 64 bits; of narrower ones only those that sizes come in.
bool counts(DType dtype) { return dtype == DType::i64 || dtype == DType::i32; }

template <class F>
void arithmetic(Inference& f, F compute) {
  const std::optional<Shape> shape = broadcast_all(f);
  f.set(f.dtype(0), shape);
  if (counts(f.dtype(0))) combine(f, shape, compute);
}

template <class F>
void comparison(Inference& f, F decide) {
  const std::optional<Shape> shape = broadcast_all(f);
  f.set(DType::boolean, shape);
  combine(f, shape, [&](const Dim& a, const Dim& b) -> std::optional<Dim> {
    const sym::Truth truth = decide(f.symbols(), a, b);
    if (truth == sym::Truth::unknown) return std::nullopt;
    return truth == sym::Truth::yes ? 1 : 0;
  });
}

void broadcast(Inference& f) { f.set(f.dtype(0), broadcast_all(f)); }

template <class F>
void logic(Inference& f, F compute) {
  const std::optional<Shape> shape = broadcast_all(f);
  f.set(DType::boolean, shape);
  combine(f, shape, [&](const Dim& a, const Dim& b) -> std::optional<Dim> {
    if (!known(a) || !known(b)) return std::nullopt;
    return compute(*known(a) != 0, *known(b) != 0) ? 1 : 0;
  });
}

void where(Inference& f) {
  const std::optional<Shape> shape = broadcast_all(f);
  f.set(f.dtype(1), shape);
  const auto sizes = numbers(shape);
  if (!sizes || count(*sizes) > kMaxElements) return;
  const Elements condition = operand(f, 0, *sizes), chosen = operand(f, 1, *sizes),
                 other = operand(f, 2, *sizes);
  if (!condition || !chosen || !other) return;
  std::vector<Dim> result;
  for (std::size_t i = 0; i < condition->size(); ++i) {
    const auto truth = known((*condition)[i]);
    if (!truth && (*chosen)[i] != (*other)[i]) return;
    result.push_back(truth == 0 ? (*other)[i] : (*chosen)[i]);
  }
  f.set_elements(std::move(result));
}

using Maybe = std::optional<Dim>;

Maybe divided(const Dim& a, const Dim& b) {
  if (known(b) == 0) return std::nullopt;
  return sym::truncdiv(a, b);
}

void modulo(Inference& f) {
  const bool c_sign = f.integer("fmod", 0) != 0;
  arithmetic(f, [c_sign](const Dim& a, const Dim& b) -> Maybe {
    if (known(b) == 0) return std::nullopt;
    return c_sign ? sym::truncmod(a, b) : sym::mod(a, b);
  });
}

Maybe power(const Dim& a, const Dim& b) {
  const auto exponent = known(b);
  if (!exponent || *exponent < 0 || *exponent > 8) return std::nullopt;
  return sym::pow(a, *exponent);
}

void pow(Inference& f) {
  if (f.dtype(1) == DType::i64) return arithmetic(f, power);
  broadcast(f);
}

constexpr InferRow kArithmetic[] = {
    {"Add", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return a + b; }); }},
    {"Sum", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return a + b; }); }},
    {"Sub", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return a - b; }); }},
    {"Mul", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return a * b; }); }},
    {"Div", [](Inference& f) { arithmetic(f, divided); }},
    {"Mod", modulo},
    {"Pow", pow},
    {"Min", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return sym::min(a, b); }); }},
    {"Max", [](Inference& f) { arithmetic(f, [](Dim a, Dim b) -> Maybe { return sym::max(a, b); }); }},
    {"Mean", broadcast},
    {"PRelu", broadcast},
    {"SwiGLU", broadcast},
    {"BitShift", broadcast},
    {"BitwiseAnd", broadcast},
    {"BitwiseOr", broadcast},
    {"BitwiseXor", broadcast},
    {"Equal", [](Inference& f) { comparison(f, [](auto& s, Dim a, Dim b) { return s.equal(a, b); }); }},
    {"Less", [](Inference& f) { comparison(f, [](auto& s, Dim a, Dim b) { return s.less(a, b); }); }},
    {"LessOrEqual",
     [](Inference& f) { comparison(f, [](auto& s, Dim a, Dim b) { return s.less_equal(a, b); }); }},
    {"Greater", [](Inference& f) { comparison(f, [](auto& s, Dim a, Dim b) { return s.less(b, a); }); }},
    {"GreaterOrEqual",
     [](Inference& f) { comparison(f, [](auto& s, Dim a, Dim b) { return s.less_equal(b, a); }); }},
    {"And", [](Inference& f) { logic(f, [](bool a, bool b) { return a && b; }); }},
    {"Or", [](Inference& f) { logic(f, [](bool a, bool b) { return a || b; }); }},
    {"Xor", [](Inference& f) { logic(f, [](bool a, bool b) { return a != b; }); }},
    {"Where", where},
};

}  // namespace

std::span<const InferRow> arithmetic_inference() { return kArithmetic; }

}  // namespace cameo::onnx
