#include <algorithm>
#include <numeric>
#include <set>

#include "aten/elementwise.h"
#include "aten/reduce.h"
#include "gradient/rules.h"

namespace cameo::gradient {
namespace {

// Matrices with their last two axes exchanged.
Expr turned(const Expr& x) {
  Axes order(as_size(x.rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(x, order);
}

// Vectors are matrices of one row or one column.
void matrix_product(const NodeStep& s) {
  const Expr a0 = s.in(0), b0 = s.in(1);
  const bool row = a0.rank() == 1, column = b0.rank() == 1;
  const Expr a = row ? unsqueeze(a0, {0}) : a0, b = column ? unsqueeze(b0, {1}) : b0;
  Axes missing;
  const std::int64_t rank = std::max(a.rank(), b.rank());
  if (row) missing.push_back(rank - 2);
  if (column) missing.push_back(rank - 1);
  const Expr g = unsqueeze(s.grad(), missing);
  if (s.wants(0)) s.give(0, reshape(sum_to(matmul(g, turned(b)), a), a0.shape()));
  if (s.wants(1)) s.give(1, reshape(sum_to(matmul(turned(a), g), b), b0.shape()));
}

void general_product(const NodeStep& s) {
  const double alpha = s.real("alpha", 1), beta = s.real("beta", 1);
  const bool turn_a = s.integer("transA", 0) != 0, turn_b = s.integer("transB", 0) != 0;
  const Expr g = s.grad(), scaled = alpha == 1 ? g : g * alpha;
  if (s.wants(0)) {
    const Expr b = s.in(1);
    s.give(0,
           turn_a ? matmul(turn_b ? turned(b) : b, turned(scaled)) : matmul(scaled, turn_b ? b : turned(b)));
  }
  if (s.wants(1)) {
    const Expr a = s.in(0);
    s.give(1,
           turn_b ? matmul(turned(scaled), turn_a ? turned(a) : a) : matmul(turn_a ? a : turned(a), scaled));
  }
  if (s.wants(2)) s.give(2, beta == 1 ? g : g * beta);
}

// "bij,bjk->bik" without spaces; the result may be left out.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

Equation parse_equation(std::string_view text) {
  Equation equation;
  std::string plain;
  std::ranges::copy_if(text, std::back_inserter(plain), [](char c) { return c != ' '; });
  const std::size_t arrow = plain.find("->");
  if (arrow == std::string::npos || plain.find('.') != std::string::npos)
    throw aten::Unsupported("the derivative of this form of Einsum is not supported");
  equation.result = plain.substr(arrow + 2);
  std::string operand;
  for (char c : plain.substr(0, arrow)) {
    if (c != ',') {
      operand += c;
      continue;
    }
    equation.operands.push_back(std::move(operand));
    operand.clear();
  }
  equation.operands.push_back(std::move(operand));
  return equation;
}

// Sum over products: the gradient of an operand is the sum over the products of the others with that of the
// result. Letters that only this operand has were summed, and are spread.
void sum_of_products(const NodeStep& s) {
  const Equation equation = parse_equation(s.text("equation", ""));
  for (std::size_t i = 0; i < s.inputs(); ++i) {
    if (!s.wants(i)) continue;
    const std::string& own = equation.operands.at(i);
    if (std::set<char>(own.begin(), own.end()).size() != own.size())
      throw aten::Unsupported(
          "the derivative of Einsum with a repeated letter in an operand is not supported");
    std::string text = equation.result, known = equation.result, wanted;
    std::vector<onnx::Value*> inputs{s.grad()};
    for (std::size_t k = 0; k < s.inputs(); ++k) {
      if (k == i) continue;
      text += "," + equation.operands[k];
      known += equation.operands[k];
      inputs.push_back(s.in(k));
    }
    Axes alone;
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      if (known.find(own[axis]) == std::string::npos)
        alone.push_back(static_cast<std::int64_t>(axis));
      else
        wanted += own[axis];
    }
    const Expr g = s.e.op("Einsum", std::move(inputs), {{"equation", text + "->" + wanted}});
    s.give(i, expand(unsqueeze(g, alone), s.in(i).shape()));
  }
}

// A vector per channel, as it is applied along the second axis.
Expr along_channels(const Expr& vector, std::int64_t rank) {
  Axes axes;
  for (std::int64_t axis = 1; axis < rank - 1; ++axis) axes.push_back(axis);
  return unsqueeze(vector, axes);
}

void batch_norm(const NodeStep& s) {
  const Expr x = s.in(0), g = s.grad();
  if (s.integer("training_mode", 0) != 0)
    throw aten::Unsupported("the derivative of batch normalisation in training is not supported");
  const Expr scale = s.in(1) / sqrt(s.in(4) + s.real("epsilon", 1e-5F));
  if (s.wants(0)) s.give(0, g * along_channels(scale, x.rank()));
  if (!s.wants(1) && !s.wants(2)) return;
  Axes others{0};
  for (std::int64_t axis = 2; axis < x.rank(); ++axis) others.push_back(axis);
  const Expr centred = x - along_channels(s.in(3), x.rank());
  const Expr normal = centred / along_channels(sqrt(s.in(4) + s.real("epsilon", 1e-5F)), x.rank());
  if (s.wants(1)) s.give(1, aten::reduce_sum(g * normal, others));
  if (s.wants(2)) s.give(2, aten::reduce_sum(g, others));
}

void layer_norm(const NodeStep& s) {
  const Expr x = s.in(0), g = s.grad();
  Axes axes;
  for (std::int64_t axis = x.wrap(s.integer("axis", -1)); axis < x.rank(); ++axis) axes.push_back(axis);
  const Expr centred = x - aten::reduce_mean(x, axes, true);
  const Expr variance = aten::reduce_mean(centred * centred, axes, true);
  const Expr scale = reciprocal(sqrt(variance + s.real("epsilon", 1e-5F))), normal = centred * scale;
  const Expr inner = g * s.in(1);
  if (s.wants(0)) {
    const Expr mean = aten::reduce_mean(inner, axes, true),
               slope = aten::reduce_mean(inner * normal, axes, true);
    s.give(0, (inner - mean - normal * slope) * scale);
  }
  if (s.wants(1)) s.give(1, g * normal);
  if (s.wants(2)) s.give(2, g);
}

constexpr NodeRow kLinear[] = {
    {"BatchNormalization", batch_norm}, {"Einsum", sum_of_products}, {"Gemm", general_product},
    {"LayerNormalization", layer_norm}, {"MatMul", matrix_product},
};

}  // namespace

std::span<const NodeRow> linear_rules() { return kLinear; }

}  // namespace cameo::gradient
