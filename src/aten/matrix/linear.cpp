// Products of matrices and vectors.
#include <fmt/core.h>

#include "aten/complex.h"
#include "aten/families.h"
#include "aten/matrix/products.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

void check_rank(const Expr& tensor, std::int64_t rank, std::string_view what) {
  if (tensor.rank() != rank)
    throw ProgramError(fmt::format("{} must have {} dimensions, not {}", what, rank, tensor.rank()));
}

// Calls `fn` on the operands in a dtype that products are defined for, and gives the result its own.
template <class Fn, class... Tensors>
Expr in_calculable(Fn fn, const Expr& first, const Tensors&... rest) {
  const DType dtype = result_type({Operand(first), Operand(rest)...});
  const DType inner = calculable(dtype);
  return cast(fn(cast(first, inner), cast(rest, inner)...), dtype);
}

Expr product(Emit& e, const Expr& a, const Expr& b) {
  if (a.rank() == 0 || b.rank() == 0)
    throw ProgramError("both arguments of a matrix product need at least one dimension");
  if (a.dtype() != b.dtype())
    throw ProgramError(fmt::format("a matrix product of {} and {}", name(a.dtype()), name(b.dtype())));
  return in_calculable([&](Expr x, Expr y) { return matrix_product(e, x, y); }, a, b);
}

Expr matmul(Emit& e, Expr self, Expr other) { return product(e, self, other); }
Expr mm(Emit& e, Expr self, Expr mat2) {
  check_rank(self, 2, "'self'");
  check_rank(mat2, 2, "'mat2'");
  return product(e, self, mat2);
}
Expr bmm(Emit& e, Expr self, Expr mat2) {
  check_rank(self, 3, "'self'");
  check_rank(mat2, 3, "'mat2'");
  return product(e, self, mat2);
}
Expr mv(Emit& e, Expr self, Expr vec) {
  check_rank(self, 2, "'self'");
  check_rank(vec, 1, "'vec'");
  return product(e, self, vec);
}
Expr dot(Emit& e, Expr self, Expr tensor) {
  check_rank(self, 1, "'self'");
  check_rank(tensor, 1, "'tensor'");
  return product(e, self, tensor);
}

Expr linear(Emit& e, Expr input, Expr weight, std::optional<Expr> bias) {
  return affine(e, input, weight, bias ? *bias : Expr());
}

// (a + ib)(c + id), and the bias added.
Tensor complex_linear(Emit& e, Tensor input, Tensor weight, std::optional<Tensor> bias) {
  const Complex x = parts_of(e, input), w = parts_of(e, weight);
  const auto product = [&](const Expr& a, const Expr& b) { return affine(e, a, b, Expr()); };
  Complex sum{product(x.real, w.real), nullptr};
  if (!x.is_real() && !w.is_real()) sum.real = sum.real - product(x.imaginary, w.imaginary);
  if (!w.is_real()) sum.imaginary = product(x.real, w.imaginary);
  if (!x.is_real()) {
    const Expr other = product(x.imaginary, w.real);
    sum.imaginary = sum.is_real() ? other : sum.imaginary + other;
  }
  return pairs(bias ? sum + parts_of(e, *bias) : sum);
}

// x times a number. The product with 0 has no NaN, as PyTorch leaves the operand out.
Expr times_factor(const Expr& x, const Scalar& factor) {
  const Expr number = scalar_like(x, factor);
  return where(equal(number, 0), x.number(0), x * number);
}

// beta * self + alpha * (a @ b)
Expr weighted_sum(Emit& e, const Expr& self, const Expr& a, const Expr& b, const Scalar& beta,
                  const Scalar& alpha) {
  const bool booleans = result_type({self, a, b}) == DType::boolean;
  if (!beta.known() || !alpha.known()) {
    if (booleans) throw Unsupported("'beta' and 'alpha' of booleans must be known at export time");
    return in_calculable(
        [&](Expr c, Expr x, Expr y) {
          const Expr product = matrix_product(e, x, y);
          return times_factor(c, beta) + product * scalar_like(product, alpha);
        },
        self, a, b);
  }
  double by = *beta.known(), scale = *alpha.known();
  if (booleans) {
    by = by != 0;
    scale = scale != 0;
  }
  return in_calculable([&](Expr c, Expr x, Expr y) { return scaled_sum(e, c, by, x, y, scale); }, self, a, b);
}
Expr addmm(Emit& e, Expr self, Expr mat1, Expr mat2, Scalar beta, Scalar alpha) {
  check_rank(mat1, 2, "'mat1'");
  check_rank(mat2, 2, "'mat2'");
  return weighted_sum(e, self, mat1, mat2, beta, alpha);
}
Expr baddbmm(Emit& e, Expr self, Expr batch1, Expr batch2, Scalar beta, Scalar alpha) {
  check_rank(batch1, 3, "'batch1'");
  check_rank(batch2, 3, "'batch2'");
  return weighted_sum(e, self, batch1, batch2, beta, alpha);
}
Expr addmv(Emit& e, Expr self, Expr mat, Expr vec, Scalar beta, Scalar alpha) {
  check_rank(mat, 2, "'mat'");
  check_rank(vec, 1, "'vec'");
  return weighted_sum(e, self, mat, vec, beta, alpha);
}
Expr addr(Emit& e, Expr self, Expr vec1, Expr vec2, Scalar beta, Scalar alpha) {
  check_rank(vec1, 1, "'vec1'");
  check_rank(vec2, 1, "'vec2'");
  return weighted_sum(e, self, unsqueeze(vec1, {1}), unsqueeze(vec2, {0}), beta, alpha);
}

// With a dtype of its own, in which it is computed.
Expr mm_dtype(Emit& e, Expr self, Expr mat2, DType out_dtype) {
  return mm(e, cast(self, out_dtype), cast(mat2, out_dtype));
}
Expr bmm_dtype(Emit& e, Expr self, Expr mat2, DType out_dtype) {
  return bmm(e, cast(self, out_dtype), cast(mat2, out_dtype));
}
Expr addmm_dtype(Emit& e, Expr self, Expr mat1, Expr mat2, DType out_dtype, Scalar beta, Scalar alpha) {
  return addmm(e, cast(self, out_dtype), cast(mat1, out_dtype), cast(mat2, out_dtype), beta, alpha);
}
Expr baddbmm_dtype(Emit& e, Expr self, Expr batch1, Expr batch2, DType out_dtype, Scalar beta, Scalar alpha) {
  return baddbmm(e, cast(self, out_dtype), cast(batch1, out_dtype), cast(batch2, out_dtype), beta, alpha);
}

Expr addmm_activation(Emit& e, Expr self, Expr mat1, Expr mat2, Scalar beta, Scalar alpha, bool use_gelu) {
  const Expr sum = addmm(e, self, mat1, mat2, beta, alpha);
  return use_gelu ? Expr(e.op("Gelu", {sum})) : relu(sum);
}

// The parts of a dimension that end at `ends`, and the rest of the dimension as one more part.
std::vector<Expr> groups(Emit& e, const Expr& x, std::int64_t axis, const Expr& ends, std::int64_t count) {
  const Expr sizes = concat({ends, e.dims({x.dim(axis)})}, 0) - concat({e.ints({0}), ends}, 0);
  return ops(e, "Split", {x, sizes}, {{"axis", axis}}, as_size(count + 1));
}

// PyTorch does not define the result behind the last end. Here the last group includes it.
std::vector<Expr> groups_and_rest(Emit& e, const Expr& x, std::int64_t axis, const Expr& ends,
                                  std::int64_t count) {
  if (count == 1) return {x};
  return groups(e, x, axis, slice(ends, 0, 0, count - 1), count - 1);
}

std::int64_t group_count(const Expr& self, const Expr& mat2, const Expr& offs) {
  check_rank(offs, 1, "'offs'");
  const std::int64_t count = known_sizes(offs.shape(), "the number of groups").at(0);
  if (count == 0) throw ProgramError("'offs' has no elements");
  for (const Expr& x : {self, mat2})
    if (x.rank() == 3 && x.dim(0).as_constant() != count)
      throw ProgramError(
          fmt::format("'offs' has {} elements, but a tensor has {} matrices", count, to_string(x.dim(0))));
  return count;
}

// A 3-d tensor has one matrix per group. The groups of a 2-d tensor are parts of its rows, or of its columns on the
// right side. Two 2-d tensors have groups of the dimension over which the product sums.
Expr grouped_mm(Emit& e, Expr self, Expr mat2, std::optional<Expr> offs, std::optional<Expr> bias,
                std::optional<DType> out_dtype) {
  if (bias) throw Unsupported("a bias is not supported");
  for (const Expr& x : {self, mat2})
    if (x.rank() != 2) check_rank(x, 3, "a tensor of groups");
  const bool left = self.rank() == 3, right = mat2.rank() == 3;
  if (offs.has_value() == (left && right))
    throw ProgramError(offs ? "3-d tensors take no 'offs'" : "2-d tensors need 'offs'");
  const DType dtype = out_dtype.value_or(self.dtype());
  self = cast(self, dtype), mat2 = cast(mat2, dtype);
  if (!offs) return product(e, self, mat2);
  const std::int64_t count = group_count(self, mat2, *offs);
  const Expr ends = cast(*offs, DType::i64);
  std::vector<Expr> rows, columns;
  if (!left) rows = right ? groups_and_rest(e, self, 0, ends, count) : groups(e, self, 1, ends, count);
  if (!right) columns = left ? groups_and_rest(e, mat2, 1, ends, count) : groups(e, mat2, 0, ends, count);
  std::vector<Expr> products;
  for (std::int64_t i = 0; i < count; ++i) {
    const Expr each = product(e, left ? gather(self, e.dim(i), 0) : rows[as_size(i)],
                              right ? gather(mat2, e.dim(i), 0) : columns[as_size(i)]);
    products.push_back(left || right ? each : unsqueeze(each, {0}));
  }
  const Dim height = self.dim(-2), width = mat2.dim(-1);
  const Shape shape = left || right ? Shape{height, width} : Shape{count, height, width};
  const std::vector<onnx::Value*> inputs(products.begin(), products.end());
  return e.op("Concat", inputs, {{"axis", std::int64_t{left ? 1 : 0}}}, {.dtype = dtype, .shape = shape});
}

Expr int_mm(Emit& e, Expr self, Expr mat2) {
  check_rank(self, 2, "'self'");
  check_rank(mat2, 2, "'mat2'");
  return e.op("MatMulInteger", {self, mat2});
}

// The sum over the batch is a product over batch and columns together.
Expr addbmm(Emit& e, Expr self, Expr batch1, Expr batch2, Scalar beta, Scalar alpha) {
  check_rank(batch1, 3, "'batch1'");
  check_rank(batch2, 3, "'batch2'");
  const Dim inner = batch1.dim(0) * batch1.dim(2);
  const Expr rows = reshape(transpose(batch1, {1, 0, 2}), {batch1.dim(1), inner});
  return weighted_sum(e, self, rows, reshape(batch2, {inner, batch2.dim(2)}), beta, alpha);
}

Expr times(const Expr& a, const Expr& b) {
  return in_calculable([&](Expr x, Expr y) { return x * y; }, a, b);
}
Expr outer(Emit&, Expr self, Expr vec2) {
  check_rank(self, 1, "'self'");
  check_rank(vec2, 1, "'vec2'");
  return times(unsqueeze(self, {1}), vec2);
}

Expr sum_of_products(Emit& e, const std::string& equation, const std::vector<Expr>& tensors) {
  if (tensors.empty()) throw ProgramError("there must be at least one operand");
  const DType dtype = result_type(std::vector<Operand>(tensors.begin(), tensors.end()));
  std::vector<Expr> operands;
  for (const Expr& tensor : tensors) operands.push_back(cast(tensor, calculable(dtype)));
  return cast(einsum(e, equation, operands), dtype);
}
Expr einsum_of(Emit& e, std::string equation, std::vector<Expr> tensors, Ignored) {
  return sum_of_products(e, equation, tensors);
}

Expr tensordot(Emit& e, Expr self, Expr other, Ints dims_self, Ints dims_other) {
  if (dims_self.size() != dims_other.size())
    throw ProgramError("the two lists of dimensions have different lengths");
  if (self.rank() + other.rank() > 52) throw Unsupported("more than 52 dimensions are not supported");
  char next = 'a';
  auto letter = [&] { return std::exchange(next, next == 'z' ? 'A' : static_cast<char>(next + 1)); };
  std::string left, right(as_size(other.rank()), ' '), result;
  for (std::int64_t i = 0; i < self.rank(); ++i) left += letter();
  std::string free = left;
  for (std::size_t i = 0; i < dims_self.size(); ++i) {
    const std::int64_t a = self.wrap(dims_self[i]);
    element_at(right, other.wrap(dims_other[i])) = element_at(left, a);
    element_at(free, a) = ' ';
  }
  for (char c : free)
    if (c != ' ') result += c;
  for (char& c : right)
    if (c == ' ') result += c = letter();
  return sum_of_products(e, fmt::format("{},{}->{}", left, right, result), {self, other});
}

Expr inner(Emit& e, Expr self, Expr other) {
  if (self.rank() == 0 || other.rank() == 0) return times(self, other);
  if (self.rank() == 1 && other.rank() == 1) return product(e, self, other);
  return tensordot(e, self, other, {-1}, {-1});
}

Expr bilinear(Emit& e, Expr input1, Expr input2, Expr weight, std::optional<Expr> bias) {
  const Expr sum = sum_of_products(e, "...i,oij,...j->...o", {input1, weight, input2});
  return bias ? Expr(sum + *bias) : sum;
}

Expr multi_dot(Emit& e, std::vector<Expr> tensors) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  Expr result = tensors[0];
  for (std::size_t i = 1; i < tensors.size(); ++i) result = product(e, result, tensors[i]);
  return result;
}

Expr kron(Emit&, Expr self, Expr other) {
  const std::int64_t rank = std::max(self.rank(), other.rank());
  Shape left, right, result;
  for (std::int64_t i = 0; i < rank; ++i) {
    auto size = [&](const Expr& x) {
      const std::int64_t missing = rank - x.rank();
      return i < missing ? Dim(1) : x.shape()[i - missing];
    };
    left.insert(left.end(), {size(self), 1});
    right.insert(right.end(), {1, size(other)});
    result.push_back(size(self) * size(other));
  }
  return reshape(times(reshape(self, left), reshape(other, right)), result);
}

Expr cross_along(Emit& e, const Expr& self, const Expr& other, std::int64_t dim) {
  if (self.rank() != other.rank()) throw ProgramError("the tensors have different ranks");
  const std::int64_t axis = self.wrap(dim);
  return in_calculable(
      [&](Expr a, Expr b) {
        auto turned = [&](Expr x, Ints order) { return gather(x, e.ints(order), axis); };
        const Expr plus = turned(a, {1, 2, 0}) * turned(b, {2, 0, 1});
        const Expr minus = turned(a, {2, 0, 1}) * turned(b, {1, 2, 0});
        return plus - minus;
      },
      self, other);
}
Expr linalg_cross(Emit& e, Expr self, Expr other, std::int64_t dim) {
  return cross_along(e, self, other, dim);
}
Expr cross(Emit& e, Expr self, Expr other, std::optional<std::int64_t> dim) {
  if (dim) return cross_along(e, self, other, *dim);
  for (std::int64_t axis = 0; axis < self.rank(); ++axis)
    if (self.dim(axis) == Dim(3)) return cross_along(e, self, other, axis);
  throw ProgramError("the input has no dimension of size 3");
}

// The sum of products of three tensors with dimensions of size 1 inserted.
Expr trilinear(Emit&, Expr i1, Expr i2, Expr i3, Ints expand1, Ints expand2, Ints expand3, Ints sumdim,
               Ignored) {
  const Expr product = times(times(unsqueeze(i1, expand1), unsqueeze(i2, expand2)), unsqueeze(i3, expand3));
  return sumdim.empty() ? product : reduce_sum(product, sumdim);
}

constexpr Declaration kLinear[] = {
    op<mm_dtype>("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
                 {.doc = "The product of two matrices, in a dtype.",
                  .sample = "self=f16[batch,6], mat2=f16[6,8], out_dtype=6"}),
    op<bmm_dtype>("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
                  {.doc = "Products of matrices, one a batch, in a dtype.",
                   .sample = "self=f16[batch,width,6], mat2=f16[batch,6,8], out_dtype=6"}),
    op<addmm_dtype>(
        "aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar "
        "beta=1, Scalar alpha=1) -> Tensor",
        {.doc = "beta * self + alpha * (mat1 @ mat2), in a dtype.",
         .sample = "self=f16[8], mat1=f16[batch,6], mat2=f16[6,8], out_dtype=6"}),
    op<baddbmm_dtype>(
        "aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar "
        "beta=1, Scalar alpha=1) -> Tensor",
        {.doc = "beta * self + alpha * (batch1 @ batch2), in a dtype.",
         .sample = "self=f16[batch,width,8], batch1=f16[batch,width,6], batch2=f16[batch,6,8], out_dtype=6"}),
    op<addmm_activation>("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
                         "Scalar alpha=1, bool use_gelu=False) -> Tensor",
                         {.doc = "relu or gelu of beta * self + alpha * (mat1 @ mat2).",
                          .sample = "self=f32[8], mat1=f32[batch,6], mat2=f32[6,8]"}),
    op<grouped_mm>(
        "aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? "
        "out_dtype=None) -> Tensor",
        {.doc = "Products of groups of rows or columns with a matrix each.",
         .sample = "self=f32[batch,6], mat2=f32[2,6,8], offs=i32[2]"}),
    op<int_mm>(
        "aten::_int_mm(Tensor self, Tensor mat2) -> Tensor",
        {.doc = "The product of two matrices of i8, as i32.", .sample = "self=i8[batch,6], mat2=i8[6,8]"}),
    op<trilinear>("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] "
                  "expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
                  {.doc = "The sum of products of three tensors.",
                   .sample = "i1=f32[batch,6], i2=f32[8,6,5], i3=f32[batch,5], expand1=[1, 3], expand2=[0], "
                             "expand3=[1, 2], sumdim=[2, 3]"}),
    op<linear, complex_linear>(
        "aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
        {.doc = "input @ weight^T + bias.", .sample = "input=f32[batch,6], weight=f32[8,6], bias=f32[8]"}),
    op<addmm>(
        "aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
        {.doc = "beta * self + alpha * (mat1 @ mat2).",
         .sample = "self=f32[8], mat1=f32[batch,6], mat2=f32[6,8]"}),
    op<mm>("aten::mm(Tensor self, Tensor mat2) -> Tensor", {.doc = "The product of two matrices.",
                                                            .complex = OnComplex::products,
                                                            .sample = "self=f32[batch,6], mat2=f32[6,8]"}),
    op<bmm>("aten::bmm(Tensor self, Tensor mat2) -> Tensor",
            {.doc = "Products of matrices, one a batch.",
             .complex = OnComplex::products,
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
    op<mv>("aten::mv(Tensor self, Tensor vec) -> Tensor", {.doc = "A matrix times a vector.",
                                                           .complex = OnComplex::products,
                                                           .sample = "vec=f32[6], self=f32[width,6]"}),
    op<dot>("aten::dot(Tensor self, Tensor tensor) -> Tensor",
            {.doc = "The scalar product of two vectors.", .complex = OnComplex::products}),
    op<dot>("aten::vdot(Tensor self, Tensor other) -> Tensor", {.doc = "The scalar product of two vectors."}),
    op<inner>("aten::inner(Tensor self, Tensor other) -> Tensor",
              {.doc = "Scalar products over the last dimensions.", .complex = OnComplex::products}),
    op<outer>("aten::ger(Tensor self, Tensor vec2) -> Tensor", {.doc = "The outer product of two vectors.",
                                                                .complex = OnComplex::products,
                                                                .aliases = {"aten::outer"}}),
    op<matmul>("aten::matmul(Tensor self, Tensor other) -> Tensor",
               {.doc = "Products of vectors and matrices, with broadcasting.",
                .complex = OnComplex::products,
                .aliases = {"aten::linalg_matmul"},
                .sample = "self=f32[batch,6], other=f32[6,8]"}),
    op<einsum_of>("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
                  {.doc = "Sums of products by Einstein's notation.",
                   .complex = OnComplex::products,
                   .sample = "equation='bij,bjk->bik', tensors=[f32[batch,width,6], f32[batch,6,8]]"}),
    op<bilinear>("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
                 {.doc = "input1 @ weight @ input2 + bias.",
                  .sample = "input1=f32[batch,6], input2=f32[batch,5], weight=f32[8,6,5], bias=f32[8]"}),
    op<tensordot>("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
                  {.doc = "Sums of products over given dimensions.", .complex = OnComplex::products}),
    op<multi_dot>(
        "aten::chain_matmul(Tensor[] matrices) -> Tensor",
        {.doc = "The product of several matrices.", .sample = "matrices=[f32[batch,6], f32[6,8], f32[8,2]]"}),
    op<multi_dot>(
        "aten::linalg_multi_dot(Tensor[] tensors) -> Tensor",
        {.doc = "The product of several matrices.", .sample = "tensors=[f32[batch,6], f32[6,8], f32[8,2]]"}),
    op<kron>("aten::kron(Tensor self, Tensor other) -> Tensor",
             {.doc = "The Kronecker product.", .complex = OnComplex::products}),
    op<cross>("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
              {.doc = "The vector product, along a dimension of size 3.",
               .complex = OnComplex::products,
               .sample = "self=f32[batch,3], other=f32[batch,3], dim=1"}),
    op<linalg_cross>("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
                     {.doc = "The vector product, along a dimension of size 3.",
                      .complex = OnComplex::products,
                      .sample = "self=f32[batch,3], other=f32[batch,3], dim=1"}),
};

}  // namespace

std::span<const Declaration> linear_ops() { return kLinear; }

}  // namespace cameo::aten
