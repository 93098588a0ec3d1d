#include <map>

#include <fmt/core.h>

#include "onnx/infer/families.h"
#include "onnx/infer/linger.h"

namespace cameo::onnx {
namespace {

void multiply(Inference& f, std::size_t left, std::size_t right, DType result) {
  if (!f.shape(left) || !f.shape(right)) return f.set(result, std::nullopt);
  Shape a = *f.shape(left), b = *f.shape(right);
  if (a.empty() || b.empty()) f.fail("each operand must have at least one axis");
  const bool row = a.size() == 1, column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.emplace_back(1);
  const Dim& inner_a = a.back();
  const Dim& inner_b = b[b.size() - 2];
  if (known(inner_a) && known(inner_b) && known(inner_a) != known(inner_b))
    f.fail(fmt::format("inner sizes {} and {} differ", *known(inner_a), *known(inner_b)));
  Shape shape = *f.broadcast(std::optional(Shape(a.begin(), a.end() - 2)),
                             std::optional(Shape(b.begin(), b.end() - 2)));
  if (!row) shape.push_back(a[a.size() - 2]);
  if (!column) shape.push_back(b.back());
  f.set(result, shape);
}

void mat_mul(Inference& f) { multiply(f, 0, 1, f.dtype(0)); }
void mat_mul_integer(Inference& f) { multiply(f, 0, 1, DType::i32); }
void q_linear_mat_mul(Inference& f) { multiply(f, 0, 3, f.dtype(7)); }

void linger_product(Inference& f) { multiply(f, 0, 1, linger_result(f)); }

void gemm(Inference& f) {
  const auto& a = f.shape(0);
  const auto& b = f.shape(1);
  if ((a && a->size() != 2) || (b && b->size() != 2)) f.fail("each operand must have two axes");
  const bool flip_a = f.integer("transA", 0) != 0, flip_b = f.integer("transB", 0) != 0;
  const auto inner_a = a ? known((*a)[flip_a ? 0 : 1]) : std::nullopt;
  const auto inner_b = b ? known((*b)[flip_b ? 1 : 0]) : std::nullopt;
  if (inner_a && inner_b && inner_a != inner_b)
    f.fail(fmt::format("inner sizes {} and {} differ", *inner_a, *inner_b));
  f.set(f.dtype(0),
        Shape{a ? (*a)[flip_a ? 1 : 0] : f.fresh("rows"), b ? (*b)[flip_b ? 0 : 1] : f.fresh("columns")});
}

void determinant(Inference& f) {
  const auto& x = f.shape(0);
  if (!x) return f.set(f.dtype(0), std::nullopt);
  if (x->size() < 2) f.fail("the input must have at least two axes");
  f.set(f.dtype(0), Shape(x->begin(), x->end() - 2));
}

struct Einsum {
  std::map<char, Dim> sizes;
  Shape ellipsis;
};

void bind_labels(Inference& f, Einsum& all, std::string_view labels, const Shape& shape) {
  std::string letters;
  std::optional<std::size_t> dots;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == '.') {
      dots = letters.size();
      i += 2;
    } else {
      letters += labels[i];
    }
  }
  if (letters.size() > shape.size() || (!dots && letters.size() != shape.size()))
    f.fail("the equation does not fit the number of axes");
  const std::size_t covered = shape.size() - letters.size();
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Dim& size = shape[dots && i >= *dots ? i + covered : i];
    auto [found, inserted] = all.sizes.try_emplace(letters[i], size);
    if (!inserted) found->second = f.broadcast(found->second, size);
  }
  if (dots) {
    const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(*dots);
    const Shape part(begin, begin + static_cast<std::ptrdiff_t>(covered));
    all.ellipsis = *f.broadcast(std::optional(all.ellipsis), std::optional(part));
  }
}

void einsum(Inference& f) {
  std::string equation;
  for (char c : f.text("equation", ""))
    if (c != ' ') equation += c;
  const std::size_t arrow = equation.find("->");
  std::string_view left = std::string_view(equation).substr(0, arrow);
  Einsum all;
  std::map<char, int> uses;
  for (std::size_t input = 0; input < f.inputs(); ++input) {
    if (!f.shape(input)) return f.set(f.dtype(0), std::nullopt);
    const std::string_view labels = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), labels.size() + 1));
    for (char c : labels)
      if (c != '.') ++uses[c];
    bind_labels(f, all, labels, *f.shape(input));
  }
  std::string result = "...";
  if (arrow != std::string::npos) {
    result = equation.substr(arrow + 2);
  } else {
    for (const auto& [label, count] : uses)
      if (count == 1) result += label;
  }
  Shape shape;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == '.') {
      shape.insert(shape.end(), all.ellipsis.begin(), all.ellipsis.end());
      i += 2;
    } else {
      const auto found = all.sizes.find(result[i]);
      if (found == all.sizes.end()) f.fail("the result has a label that no operand has");
      shape.push_back(found->second);
    }
  }
  f.set(f.dtype(0), shape);
}

void attention(Inference& f) {
  const auto& q = f.shape(0);
  const auto& v = f.shape(2);
  std::optional<Shape> shape = q;
  if (q && v && q->size() == v->size()) {
    if (q->size() == 4) {
      shape->back() = v->back();
    } else {
      const std::int64_t heads = f.integer("q_num_heads", 1), groups = f.integer("kv_num_heads", 1);
      shape->back() = sym::floordiv(v->back(), groups) * heads;
    }
  }
  f.set(0, f.dtype(0), shape);
  for (std::size_t i = 1; i < f.outputs(); ++i)
    f.set(i, f.dtype(i == 2 ? 2 : 0), f.fresh_shape(4, "attention"));
}

void linear_attention(Inference& f) {
  like_first(f);
  f.set(1, f.has(3) ? f.dtype(3) : f.dtype(0), f.fresh_shape(4, "state"));
}

constexpr InferRow kLinear[] = {
    {"linger::QBmm", linger_product},
    {"linger::QMatmul", linger_product},
    {"thinker::BmmInt", linger_product},
    {"MatMul", mat_mul},
    {"MatMulInteger", mat_mul_integer},
    {"QLinearMatMul", q_linear_mat_mul},
    {"Gemm", gemm},
    {"Det", determinant},
    {"Einsum", einsum},
    {"Attention", attention},
    {"LinearAttention", linear_attention},
    {"RotaryEmbedding", like_first},
};

}  // namespace

std::span<const InferRow> linear_inference() { return kLinear; }

}  // namespace cameo::onnx
