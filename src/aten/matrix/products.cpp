#include "aten/matrix/products.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "aten/support.h"
#include "base/text.h"

namespace cameo::aten {
namespace {

bool takes_gemm(const Expr& x) { return is_floating(x->dtype()); }

struct Matrix {
  Expr value;
  bool transposed;
};

// The matrix behind a transposition: of a node, or of a weight whose columns are stored one after the other.
Matrix behind_transpose(Expr x) {
  if (x->producer && x->producer->op == "Transpose" && x->producer->domain.empty())
    return {{*x.e, x->producer->inputs[0]}, true};
  if (x->constant() && x->data->tensor()) {
    const archive::Tensor& tensor = *x->data->tensor();
    if (!tensor.contiguous() && tensor.strides[0] == 1 && tensor.strides[1] == tensor.shape[0])
      return {transpose(x, {1, 0}), true};
  }
  return {x, false};
}

Expr gemm(Emit& e, const Matrix& a, const Matrix& b, Expr added, double scale, double by) {
  onnx::Attributes attributes;
  if (scale != 1) attributes.push_back({"alpha", static_cast<float>(scale)});
  if (added.value && by != 1) attributes.push_back({"beta", static_cast<float>(by)});
  if (a.transposed) attributes.push_back({"transA", std::int64_t{1}});
  if (b.transposed) attributes.push_back({"transB", std::int64_t{1}});
  return e.op("Gemm", {a.value, b.value, added}, attributes);
}

bool exact_as_f32(DType dtype, double number) {
  return dtype != DType::f64 || static_cast<double>(static_cast<float>(number)) == number;
}

// ONNX Runtime takes a factor next to a product into it, as f32: one that f32 does not hold is kept apart.
Expr times(Expr product, double scale) {
  if (exact_as_f32(product->dtype(), scale)) return product * scale;
  return -product * -scale;
}

bool spreads_over_matrix(const Expr& added) { return added->has_rank() && added->rank() <= 2; }

std::string without_spaces(const std::string& text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) { return c != ' '; });
  return out;
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> out(1);
  for (char c : text) {
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

// Ellipses become letters that nobody else uses, aligned at their right.
class Ellipsis {
 public:
  Ellipsis(const std::string& equation) {
    for (char first : {'a', 'A'})
      for (int i = 0; i < 26; ++i)
        if (const char letter = static_cast<char>(first + i); equation.find(letter) == equation.npos)
          unused_ += letter;
  }
  std::string letters(std::size_t count) {
    if (count > unused_.size()) throw Unsupported("more than 52 dimensions are not supported");
    longest_ = std::max(longest_, count);
    std::string out = unused_.substr(0, count);
    std::ranges::reverse(out);
    return out;
  }
  std::string longest() { return letters(longest_); }

 private:
  std::string unused_;
  std::size_t longest_ = 0;
};

void replace_dots(std::string& labels, const std::string& by) {
  if (const std::size_t at = labels.find("..."); at != labels.npos) labels.replace(at, 3, by);
}

}  // namespace

DType calculable(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::i8:
    case DType::u8:
    case DType::i16: return DType::i32;
    default: return dtype;
  }
}

Expr matrix_product(Emit& e, Expr a, Expr b) {
  if (a->has_rank() && b->has_rank() && a->rank() == 2 && b->rank() == 2 && takes_gemm(a)) {
    const Matrix right = behind_transpose(b);
    if (right.transposed) return gemm(e, {a, false}, right, nullptr, 1, 1);
  }
  return matmul(a, b);
}

Expr affine(Emit& e, Expr x, Expr weight, Expr bias) {
  if (weight.rank() == 1) {
    Expr product = matmul(x, weight);
    return bias.value ? product + bias : product;
  }
  if (x.rank() == 2 && takes_gemm(x)) {
    const Matrix stored = behind_transpose(weight);
    return gemm(e, {x, false}, {stored.value, !stored.transposed}, bias, 1, 1);
  }
  Expr product = matmul(x, transpose(weight, {1, 0}));
  if (!bias.value) return product;
  // ONNX Runtime fuses the product and the sum to a Gemm, and rejects an inner size of 0.
  if (x.dim(-1).as_constant() == 0) return expand(bias, product.shape());
  return product + bias;
}

Expr scaled_sum(Emit& e, Expr added, double by, Expr a, Expr b, double scale) {
  const DType dtype = a->dtype();
  if (by == 0) added = nullptr;
  const bool matrices = a.rank() == 2 && b.rank() == 2;
  // ONNX Runtime's Gemm ignores beta if the inner size is 0.
  const bool empty = matrices && a.dim(1).as_constant() == 0;
  if (matrices && !empty && takes_gemm(a) && exact_as_f32(dtype, scale) && exact_as_f32(dtype, by) &&
      (!added.value || spreads_over_matrix(added)) && (added.value || scale != 1))
    return gemm(e, behind_transpose(a), behind_transpose(b), added, scale, by);
  Expr sum = matrix_product(e, a, b);
  if (scale != 1) sum = times(sum, scale);
  if (!added.value) return sum;
  return (by == 1 ? added : added * by) + sum;
}

Expr einsum(Emit& e, const std::string& equation, std::vector<Expr> operands) {
  const std::string text = without_spaces(equation);
  const std::size_t arrow = text.find("->");
  std::vector<std::string> labels = comma_separated(text.substr(0, arrow));
  if (labels.size() != operands.size())
    throw ProgramError(fmt::format("the equation '{}' names {} operands, but there are {}", equation,
                                   labels.size(), operands.size()));
  Ellipsis ellipsis(text);
  std::map<char, int> uses;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (char c : labels[i])
      if (c != '.') ++uses[c];
    const std::size_t rank = operands[i].shape().size();
    const bool dots = labels[i].find("...") != std::string::npos;
    const std::size_t named = labels[i].size() - (dots ? 3 : 0);
    if (rank < named || (rank > named && !dots))
      throw ProgramError(fmt::format("'{}' does not fit an operand of {} dimensions", labels[i], rank));
    replace_dots(labels[i], ellipsis.letters(rank - named));
  }
  std::string result = "...";
  if (arrow == text.npos) {
    for (const auto& [letter, count] : uses)
      if (count == 1) result += letter;
  } else {
    result = text.substr(arrow + 2);
  }
  replace_dots(result, ellipsis.longest());
  return e.op("Einsum", {operands.begin(), operands.end()},
              {{"equation", fmt::format("{}->{}", join(labels, ","), result)}});
}

}  // namespace cameo::aten
