// Products of matrices and vectors.
#include <fmt/format.h>

#include "aten/families.h"
#include "aten/matrix/products.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

void check_rank(const Tensor& tensor, std::int64_t rank, std::string_view what) {
  if (tensor.rank() != rank)
    throw ProgramError(fmt::format("{} must have {} dimensions, not {}", what, rank, tensor.rank()));
}

// Calls `fn` on the operands in a dtype that products are defined for, and gives the result its own.
template <class Fn, class... Tensors>
Tensor in_calculable(Emit& e, Fn fn, const Tensor& first, const Tensors&... rest) {
  const DType dtype = result_type({Operand(first), Operand(rest)...});
  const DType inner = calculable(dtype);
  return e.cast(fn(e.cast(first, inner), e.cast(rest, inner)...), dtype);
}

Tensor product(Emit& e, const Tensor& a, const Tensor& b) {
  if (a.rank() == 0 || b.rank() == 0)
    throw ProgramError("both arguments of a matrix product need at least one dimension");
  if (a.dtype() != b.dtype())
    throw ProgramError(fmt::format("a matrix product of {} and {}", name(a.dtype()), name(b.dtype())));
  return in_calculable(
      e, [&](onnx::Value* x, onnx::Value* y) { return matrix_product(e, x, y); }, a, b);
}

Tensor matmul(Emit& e, Tensor self, Tensor other) { return product(e, self, other); }
Tensor mm(Emit& e, Tensor self, Tensor mat2) {
  check_rank(self, 2, "'self'");
  check_rank(mat2, 2, "'mat2'");
  return product(e, self, mat2);
}
Tensor bmm(Emit& e, Tensor self, Tensor mat2) {
  check_rank(self, 3, "'self'");
  check_rank(mat2, 3, "'mat2'");
  return product(e, self, mat2);
}
Tensor mv(Emit& e, Tensor self, Tensor vec) {
  check_rank(self, 2, "'self'");
  check_rank(vec, 1, "'vec'");
  return product(e, self, vec);
}
Tensor dot(Emit& e, Tensor self, Tensor tensor) {
  check_rank(self, 1, "'self'");
  check_rank(tensor, 1, "'tensor'");
  return product(e, self, tensor);
}

Tensor linear(Emit& e, Tensor input, Tensor weight, std::optional<Tensor> bias) {
  return affine(e, input, weight, bias ? bias->value : nullptr);
}

double known_factor(const Scalar& factor, std::string_view name) {
  if (const std::optional<double> known = factor.known()) return *known;
  throw Unsupported(fmt::format("'{}' must be known at export time, but it depends on the inputs", name));
}

// beta * self + alpha * (a @ b)
Tensor weighted_sum(Emit& e, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                    const Scalar& alpha) {
  double by = known_factor(beta, "beta"), scale = known_factor(alpha, "alpha");
  if (result_type({self, a, b}) == DType::boolean) {
    by = by != 0;
    scale = scale != 0;
  }
  return in_calculable(
      e, [&](onnx::Value* c, onnx::Value* x, onnx::Value* y) { return scaled_sum(e, c, by, x, y, scale); },
      self, a, b);
}
Tensor addmm(Emit& e, Tensor self, Tensor mat1, Tensor mat2, Scalar beta, Scalar alpha) {
  check_rank(mat1, 2, "'mat1'");
  check_rank(mat2, 2, "'mat2'");
  return weighted_sum(e, self, mat1, mat2, beta, alpha);
}
Tensor baddbmm(Emit& e, Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
  check_rank(batch1, 3, "'batch1'");
  check_rank(batch2, 3, "'batch2'");
  return weighted_sum(e, self, batch1, batch2, beta, alpha);
}
Tensor addmv(Emit& e, Tensor self, Tensor mat, Tensor vec, Scalar beta, Scalar alpha) {
  check_rank(mat, 2, "'mat'");
  check_rank(vec, 1, "'vec'");
  return weighted_sum(e, self, mat, vec, beta, alpha);
}
Tensor addr(Emit& e, Tensor self, Tensor vec1, Tensor vec2, Scalar beta, Scalar alpha) {
  check_rank(vec1, 1, "'vec1'");
  check_rank(vec2, 1, "'vec2'");
  return weighted_sum(e, self, e.unsqueeze(vec1, {1}), e.unsqueeze(vec2, {0}), beta, alpha);
}

// The sum over the batch is a product over batch and columns together.
Tensor addbmm(Emit& e, Tensor self, Tensor batch1, Tensor batch2, Scalar beta, Scalar alpha) {
  check_rank(batch1, 3, "'batch1'");
  check_rank(batch2, 3, "'batch2'");
  const Dim inner = batch1.dim(0) * batch1.dim(2);
  const Tensor rows = e.reshape(e.transpose(batch1, {1, 0, 2}), {batch1.dim(1), inner});
  return weighted_sum(e, self, rows, e.reshape(batch2, {inner, batch2.dim(2)}), beta, alpha);
}

Tensor times(Emit& e, const Tensor& a, const Tensor& b) {
  return in_calculable(
      e,
      [&](onnx::Value* x, onnx::Value* y) {
        return e.op("Mul", {x, y});
      },
      a, b);
}
Tensor outer(Emit& e, Tensor self, Tensor vec2) {
  check_rank(self, 1, "'self'");
  check_rank(vec2, 1, "'vec2'");
  return times(e, e.unsqueeze(self, {1}), vec2);
}

Tensor sum_of_products(Emit& e, const std::string& equation, const std::vector<Tensor>& tensors) {
  if (tensors.empty()) throw ProgramError("there must be at least one operand");
  const DType dtype = result_type(std::vector<Operand>(tensors.begin(), tensors.end()));
  std::vector<onnx::Value*> operands;
  for (const Tensor& tensor : tensors) operands.push_back(e.cast(tensor, calculable(dtype)));
  return e.cast(einsum(e, equation, operands), dtype);
}
Tensor einsum_of(Emit& e, std::string equation, std::vector<Tensor> tensors, Ignored) {
  return sum_of_products(e, equation, tensors);
}

Tensor tensordot(Emit& e, Tensor self, Tensor other, Ints dims_self, Ints dims_other) {
  if (dims_self.size() != dims_other.size())
    throw ProgramError("the two lists of dimensions have different lengths");
  if (self.rank() + other.rank() > 52) throw Unsupported("more than 52 dimensions are not supported");
  char next = 'a';
  auto letter = [&] { return std::exchange(next, next == 'z' ? 'A' : static_cast<char>(next + 1)); };
  std::string left, right(static_cast<std::size_t>(other.rank()), ' '), result;
  for (std::int64_t i = 0; i < self.rank(); ++i) left += letter();
  std::string free = left;
  for (std::size_t i = 0; i < dims_self.size(); ++i) {
    const auto a = static_cast<std::size_t>(self.wrap(dims_self[i]));
    right[static_cast<std::size_t>(other.wrap(dims_other[i]))] = left[a];
    free[a] = ' ';
  }
  for (char c : free)
    if (c != ' ') result += c;
  for (char& c : right)
    if (c == ' ') result += c = letter();
  return sum_of_products(e, fmt::format("{},{}->{}", left, right, result), {self, other});
}

Tensor inner(Emit& e, Tensor self, Tensor other) {
  if (self.rank() == 0 || other.rank() == 0) return times(e, self, other);
  if (self.rank() == 1 && other.rank() == 1) return product(e, self, other);
  return tensordot(e, self, other, {-1}, {-1});
}

Tensor bilinear(Emit& e, Tensor input1, Tensor input2, Tensor weight, std::optional<Tensor> bias) {
  const Tensor sum = sum_of_products(e, "...i,oij,...j->...o", {input1, weight, input2});
  return bias ? Tensor(e.op("Add", {sum, *bias})) : sum;
}

Tensor multi_dot(Emit& e, std::vector<Tensor> tensors) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  Tensor result = tensors[0];
  for (std::size_t i = 1; i < tensors.size(); ++i) result = product(e, result, tensors[i]);
  return result;
}

Tensor kron(Emit& e, Tensor self, Tensor other) {
  const auto rank = static_cast<std::size_t>(std::max(self.rank(), other.rank()));
  Shape left, right, result;
  for (std::size_t i = 0; i < rank; ++i) {
    auto size = [&](const Tensor& x) {
      const std::size_t missing = rank - x.shape().size();
      return i < missing ? Dim(1) : x.shape()[i - missing];
    };
    left.insert(left.end(), {size(self), 1});
    right.insert(right.end(), {1, size(other)});
    result.push_back(size(self) * size(other));
  }
  return e.reshape(times(e, e.reshape(self, left), e.reshape(other, right)), result);
}

Tensor cross_along(Emit& e, const Tensor& self, const Tensor& other, std::int64_t dim) {
  if (self.rank() != other.rank()) throw ProgramError("the tensors have different ranks");
  const std::int64_t axis = self.wrap(dim);
  return in_calculable(
      e,
      [&](onnx::Value* a, onnx::Value* b) {
        auto turned = [&](onnx::Value* x, Ints order) { return e.gather(x, e.ints(order), axis); };
        onnx::Value* plus = e.op("Mul", {turned(a, {1, 2, 0}), turned(b, {2, 0, 1})});
        onnx::Value* minus = e.op("Mul", {turned(a, {2, 0, 1}), turned(b, {1, 2, 0})});
        return e.op("Sub", {plus, minus});
      },
      self, other);
}
Tensor linalg_cross(Emit& e, Tensor self, Tensor other, std::int64_t dim) {
  return cross_along(e, self, other, dim);
}
Tensor cross(Emit& e, Tensor self, Tensor other, std::optional<std::int64_t> dim) {
  if (dim) return cross_along(e, self, other, *dim);
  for (std::int64_t axis = 0; axis < self.rank(); ++axis)
    if (self.dim(axis) == Dim(3)) return cross_along(e, self, other, axis);
  throw ProgramError("the input has no dimension of size 3");
}

constexpr Declaration kLinear[] = {
    op<linear>(
        "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
        {.doc = "input @ weight^T + bias.", .sample = "input=f32[batch,6], weight=f32[8,6], bias=f32[8]"}),
    op<addmm>(
        "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        {.doc = "beta * self + alpha * (mat1 @ mat2).",
         .sample = "self=f32[8], mat1=f32[batch,6], mat2=f32[6,8]"}),
    op<mm>("aten::mm(Tensor self, Tensor mat2) -> Tensor",
           {.doc = "The product of two matrices.", .sample = "self=f32[batch,6], mat2=f32[6,8]"}),
    op<bmm>("aten::bmm(Tensor self, Tensor mat2) -> Tensor",
            {.doc = "Products of matrices, one a batch.",
             .sample = "self=f32[batch,width,6], mat2=f32[batch,6,8]"}),
    op<baddbmm>("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) "
                "-> Tensor",
                {.doc = "beta * self + alpha * (batch1 @ batch2).",
                 .sample = "self=f32[batch,width,8], batch1=f32[batch,width,6], batch2=f32[batch,6,8]"}),
    op<addbmm>(
        "aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        {.doc = "beta * self + alpha * the sum of batch1 @ batch2 over the batch.",
         .sample = "self=f32[width,8], batch1=f32[batch,width,6], batch2=f32[batch,6,8]"}),
    op<addmv>("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
              {.doc = "beta * self + alpha * (mat @ vec).",
               .sample = "mat=f32[width,6], vec=f32[6], self=f32[width]"}),
    op<addr>("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
             {.doc = "beta * self + alpha * the outer product of two vectors.",
              .sample = "self=f32[width,6], vec1=f32[width], vec2=f32[6]"}),
    op<mv>("aten::mv(Tensor self, Tensor vec) -> Tensor",
           {.doc = "A matrix times a vector.", .sample = "vec=f32[6], self=f32[width,6]"}),
    op<dot>("aten::dot(Tensor self, Tensor tensor) -> Tensor", {.doc = "The scalar product of two vectors."}),
    op<dot>("aten::vdot(Tensor self, Tensor other) -> Tensor", {.doc = "The scalar product of two vectors."}),
    op<inner>("aten::inner(Tensor self, Tensor other) -> Tensor",
              {.doc = "Scalar products over the last dimensions."}),
    op<outer>("aten::ger(Tensor self, Tensor vec2) -> Tensor",
              {.doc = "The outer product of two vectors.", .aliases = {"aten::outer"}}),
    op<matmul>("aten::matmul(Tensor self, Tensor other) -> Tensor",
               {.doc = "Products of vectors and matrices, with broadcasting.",
                .aliases = {"aten::linalg_matmul"},
                .sample = "self=f32[batch,6], other=f32[6,8]"}),
    op<einsum_of>("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
                  {.doc = "Sums of products by Einstein's notation.",
                   .sample = "equation='bij,bjk->bik', tensors=[f32[batch,width,6], f32[batch,6,8]]"}),
    op<bilinear>("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
                 {.doc = "input1 @ weight @ input2 + bias.",
                  .sample = "input1=f32[batch,6], input2=f32[batch,5], weight=f32[8,6,5], bias=f32[8]"}),
    op<tensordot>("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
                  {.doc = "Sums of products over given dimensions."}),
    op<multi_dot>(
        "aten::chain_matmul(Tensor[] matrices) -> Tensor",
        {.doc = "The product of several matrices.", .sample = "matrices=[f32[batch,6], f32[6,8], f32[8,2]]"}),
    op<multi_dot>(
        "aten::linalg_multi_dot(Tensor[] tensors) -> Tensor",
        {.doc = "The product of several matrices.", .sample = "tensors=[f32[batch,6], f32[6,8], f32[8,2]]"}),
    op<kron>("aten::kron(Tensor self, Tensor other) -> Tensor", {.doc = "The Kronecker product."}),
    op<cross>("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
              {.doc = "The vector product, along a dimension of size 3.",
               .sample = "self=f32[batch,3], other=f32[batch,3], dim=1"}),
    op<linalg_cross>("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
                     {.doc = "The vector product, along a dimension of size 3.",
                      .sample = "self=f32[batch,3], other=f32[batch,3], dim=1"}),
};

}  // namespace

std::span<const Declaration> linear_ops() { return kLinear; }

}  // namespace cameo::aten
