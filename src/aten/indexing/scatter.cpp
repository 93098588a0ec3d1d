// Elements read and written along one dimension.
#include <fmt/core.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr with_axis(Emit&, const Expr& x) { return x.rank() == 0 ? Expr(reshape(x, {1})) : x; }
Expr as_before(Expr x, const Expr& self) { return self.rank() == 0 ? Expr(reshape(x, {})) : Expr(x); }

Expr gather(Emit& e, Expr self, std::int64_t dim, Expr index, bool) {
  const std::int64_t axis = self.wrap(dim);
  const Expr places = cast(index, DType::i64);
  if (index.shape().product().as_constant() == 0) return filled(self.number(0), index.shape());
  const Expr found = gather_elements(with_axis(e, self), with_axis(e, places), axis);
  return as_before(found, index);
}

Expr take_along_dim(Emit& e, Expr self, Expr indices, std::optional<std::int64_t> dim) {
  if (!dim)
    return gather(e, reshape(self, {self.shape().product()}), 0,
                  reshape(indices, {indices.shape().product()}), false);
  if (self.rank() != indices.rank()) throw ProgramError("the tensors have different ranks");
  const std::int64_t axis = self.wrap(*dim);
  Shape of_self = self.shape(), of_indices = indices.shape();
  of_self[axis] = of_indices[axis] = 1;
  Shape shape = broadcast_shape(e, of_self, of_indices);
  shape[axis] = self.dim(axis);
  const Expr source = expand(self, shape);
  shape[axis] = indices.dim(axis);
  return gather(e, source, axis, expand(indices, shape), false);
}

Expr index_select(Emit& e, Expr self, std::int64_t dim, Expr index) {
  const std::int64_t axis = self.wrap(dim);
  return as_before(gather(with_axis(e, self), with_axis(e, index), axis), self);
}

Expr take(Emit&, Expr self, Expr index) { return gather(reshape(self, {self.shape().product()}), index, 0); }

// Combines updates with what is there: "none", "add" or "mul". ONNX adds no booleans.
Expr scatter_elements(Emit& e, Expr x, Expr index, Expr updates, std::int64_t axis, const std::string& how) {
  const DType dtype = x->dtype();
  const DType inside = how != "none" && dtype == DType::boolean ? DType::i32 : dtype;
  onnx::Attributes attributes{{"axis", axis}};
  if (how != "none") attributes.push_back({"reduction", how});
  const Expr out =
      e.op("ScatterElements", {cast(x, inside), index, cast(updates, inside)}, std::move(attributes));
  return cast(out, dtype);
}

// ONNX wants updates of the shape of the indices; PyTorch reads the front of larger ones.
Expr fitted(const Expr& updates, const Shape& shape) {
  Expr x = updates;
  for (std::int64_t axis = 0; axis < shape.rank(); ++axis) x = slice(x, axis, 0, shape[axis]);
  return x;
}

Expr scatter_tensor(Emit& e, const Expr& self, std::int64_t dim, const Expr& index, const Expr& src,
                    const std::string& how) {
  const std::int64_t axis = self.wrap(dim);
  const Expr places = with_axis(e, index);
  if (places.shape().product().as_constant() == 0) return self;
  const Expr updates = fitted(with_axis(e, cast(src, self.dtype())), places.shape());
  return as_before(scatter_elements(e, with_axis(e, self), places, updates, axis, how), self);
}
Expr scatter_number(Emit& e, const Expr& self, std::int64_t dim, const Expr& index, const Scalar& value,
                    const std::string& how) {
  const Expr places = with_axis(e, index);
  return scatter_tensor(e, self, dim, index, filled(scalar_like(self, value), places.shape()), how);
}

std::string combination(const std::string& reduce) {
  if (reduce == "add") return "add";
  if (reduce == "multiply") return "mul";
  throw ProgramError(fmt::format("'reduce' must be 'add' or 'multiply', not '{}'", reduce));
}

Expr scatter_src(Emit& e, Expr self, std::int64_t dim, Expr index, Expr src) {
  return scatter_tensor(e, self, dim, index, src, "none");
}
Expr scatter_value(Emit& e, Expr self, std::int64_t dim, Expr index, Scalar value) {
  return scatter_number(e, self, dim, index, value, "none");
}
Expr scatter_src_reduce(Emit& e, Expr self, std::int64_t dim, Expr index, Expr src, std::string reduce) {
  return scatter_tensor(e, self, dim, index, src, combination(reduce));
}
Expr scatter_value_reduce(Emit& e, Expr self, std::int64_t dim, Expr index, Scalar value,
                          std::string reduce) {
  return scatter_number(e, self, dim, index, value, combination(reduce));
}
Expr scatter_add(Emit& e, Expr self, std::int64_t dim, Expr index, Expr src) {
  return scatter_tensor(e, self, dim, index, src, "add");
}

// Sums divided by how many there were.
Expr averaged(Emit& e, const Expr& self, std::int64_t dim, const Expr& index, const Expr& sums,
              bool include_self) {
  const Expr one = e.scalar(self.dtype(), std::int64_t{1});
  const Expr zero = e.scalar(self.dtype(), std::int64_t{0});
  const Expr start = filled(include_self ? one : zero, self.shape());
  Expr counts = scatter_tensor(e, start, dim, index, filled(one, with_axis(e, index).shape()), "add");
  if (!include_self) counts = maximum(counts, one);
  if (is_floating(self.dtype())) return sums / counts;
  const Expr rest = sums % counts;
  return (sums - rest) / counts;
}

Expr scatter_reduce(Emit& e, Expr self, std::int64_t dim, Expr index, Expr src, std::string how,
                    bool include_self) {
  const bool sums = how == "sum" || how == "mean";
  if (!sums && how != "prod" && how != "amax" && how != "amin")
    throw ProgramError(fmt::format("'{}' is not a reduction", how));
  Expr start = self;
  if (!include_self) {
    // The target starts with the neutral element, or with an update if there is none.
    start = sums            ? scatter_number(e, self, dim, index, Scalar{Dim(0)}, "none")
            : how == "prod" ? scatter_number(e, self, dim, index, Scalar{Dim(1)}, "none")
                            : scatter_tensor(e, self, dim, index, src, "none");
  }
  const char* combine = sums ? "add" : how == "prod" ? "mul" : how == "amax" ? "max" : "min";
  const Expr out = scatter_tensor(e, start, dim, index, src, combine);
  return how == "mean" ? averaged(e, self, dim, index, out, include_self) : out;
}

// Whole slices along a dimension: the front one by tuples, others element by element.
Expr put_slices(Emit& e, const Expr& self, std::int64_t dim, const Expr& index, const Expr& source,
                const std::string& how) {
  const std::int64_t axis = self.wrap(dim);
  const Expr x = with_axis(e, self), places = with_axis(e, index);
  Shape shape = x.shape();
  shape[axis] = places.dim(0);
  Expr updates = cast(source, self.dtype());
  updates = source.shape().product().as_constant() == 1 && source.rank() == 0 ? expand(updates, shape)
                                                                              : with_axis(e, updates);
  if (axis == 0 && self.dtype() != DType::boolean) {
    onnx::Attributes attributes;
    if (how != "none") attributes.push_back({"reduction", how});
    return as_before(
        e.op("ScatterND", {x, unsqueeze(cast(places, DType::i64), {1}), updates}, std::move(attributes)),
        self);
  }
  Shape column(shape.size(), Dim(1));
  column[axis] = places.dim(0);
  const Expr spread_index = expand(reshape(places, column), shape);
  return as_before(scatter_elements(e, x, spread_index, updates, axis, how), self);
}

// The slices of `source` along the axis, broadcast to those of `self`.
Expr broadcast_slices(const Expr& self, std::int64_t axis, const Expr& source) {
  if (self.rank() == 0 || source.rank() == 0) return source;
  const std::int64_t of_source = source.rank() == self.rank() ? axis : source.wrap(axis);
  Shape wanted = self.shape();
  wanted[axis] = source.dim(of_source);
  Expr slices = source;
  if (source.rank() < self.rank()) {  // a slice gets dimensions of 1 in front
    Axes perm{of_source};
    for (std::int64_t i = 0; i < source.rank(); ++i)
      if (i != of_source) perm.push_back(i);
    Axes ones, back;
    for (std::int64_t i = 1; i <= self.rank() - source.rank(); ++i) ones.push_back(i);
    for (std::int64_t i = 1; i < self.rank(); ++i) back.push_back(i);
    back.insert(back.begin() + axis, 0);
    slices = transpose(unsqueeze(transpose(source, perm), ones), back);
  }
  for (std::int64_t i = 0; i < self.rank(); ++i)
    if (slices.dim(i).as_constant() == 1 && wanted[i].as_constant() != 1) return expand(slices, wanted);
  return slices;
}

Expr index_add(Emit& e, Expr self, std::int64_t dim, Expr index, Expr source, Scalar alpha) {
  Expr scaled = broadcast_slices(self, self.wrap(dim), source);
  if (alpha.known() != 1.0) scaled = scaled * scalar_like(scaled, alpha);
  return put_slices(e, self, dim, index, scaled, "add");
}
Expr index_copy(Emit& e, Expr self, std::int64_t dim, Expr index, Expr source) {
  return put_slices(e, self, dim, index, source, "none");
}
Expr index_fill(Emit& e, Expr self, std::int64_t dim, Expr index, Scalar value) {
  return put_slices(e, self, dim, index, scalar_like(self, value), "none");
}
Expr index_fill_tensor(Emit& e, Expr self, std::int64_t dim, Expr index, Expr value) {
  if (value.rank() != 0) throw ProgramError("the value must have no dimensions");
  return put_slices(e, self, dim, index, value, "none");
}

Expr put(Emit& e, Expr self, Expr index, Expr source, bool accumulate) {
  const Dim total = self.shape().product();
  const Expr flat = reshape(self, {total}), places = reshape(index, {index.shape().product()});
  const Expr updates = reshape(source, {source.shape().product()});
  return reshape(put_slices(e, flat, 0, places, updates, accumulate ? "add" : "none"), self.shape());
}

Expr bincount(Emit& e, Expr self, std::optional<Expr> weights, std::int64_t minlength) {
  if (self.rank() != 1) throw ProgramError("the input must have one dimension");
  const Expr x = cast(self, DType::i64);
  const Expr largest = reduce_max(x, {0});
  const Dim size = e.number(maximum(largest + 1, minlength));
  const DType dtype = !weights ? DType::i64 : weights->dtype() == DType::f32 ? DType::f32 : DType::f64;
  const Expr updates = weights ? cast(*weights, dtype) : filled(e.dim(1), self.shape());
  return scatter_elements(e, filled(e.scalar(dtype, std::int64_t{0}), {size}), x, updates, 0, "add");
}

constexpr Declaration kScatter[] = {
    op<gather>("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
               {.doc = "Elements of a dimension, chosen for each position.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers}),
    op<take_along_dim>("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
                       {.doc = "Elements of a dimension, chosen for each position, with broadcasting.",
                        .complex = OnComplex::by_parts,
                        .sample = "dim=1"}),
    op<index_select>("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor",
                     {.doc = "Given indices of a dimension.",
                      .complex = OnComplex::by_parts,
                      .quantized = OnQuantized::integers,
                      .sample = "index=i64[3]"}),
    op<take>("aten::take(Tensor self, Tensor index) -> Tensor",
             {.doc = "Elements by their places in the flat tensor.",
              .complex = OnComplex::by_parts,
              .sample = "index=i64[5]"}),
    op<scatter_src>(
        "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
        {.doc = "Writes elements to chosen places of a dimension.", .complex = OnComplex::by_parts}),
    op<scatter_value>(
        "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        {.doc = "Writes a number to chosen places of a dimension.", .complex = OnComplex::by_parts}),
    op<scatter_src_reduce>(
        "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
        {.doc = "Adds or multiplies elements into chosen places of a dimension.", .sample = "reduce='add'"}),
    op<scatter_value_reduce>(
        "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> "
        "Tensor",
        {.doc = "Adds or multiplies a number into chosen places of a dimension.", .sample = "reduce='add'"}),
    op<scatter_add>(
        "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
        {.doc = "Adds elements into chosen places of a dimension.", .complex = OnComplex::by_parts}),
    op<scatter_reduce>(
        "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
        "bool include_self=True) -> Tensor",
        {.doc = "Combines elements in chosen places of a dimension."}),
    op<index_add>(
        "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
        {.doc = "Adds slices to given indices of a dimension.",
         .complex = OnComplex::by_parts,
         .sample = "self=f32[batch,6,width], index=i64[3], source=f32[batch,3,width]"}),
    op<index_copy>("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
                   {.doc = "Writes slices to given indices of a dimension.",
                    .complex = OnComplex::by_parts,
                    .sample = "self=f32[batch,6,width], index=i64[3], source=f32[batch,3,width]"}),
    op<index_fill>("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
                   {.doc = "Fills given indices of a dimension with a number.",
                    .complex = OnComplex::by_parts,
                    .sample = "index=i64[3]"}),
    op<index_fill_tensor>(
        "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        {.doc = "Fills given indices of a dimension with a number.",
         .complex = OnComplex::by_parts,
         .sample = "self=f32[batch,6,width], value=f32[], index=i64[3]"}),
    op<put>("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
            {.doc = "Writes or adds elements by their places in the flat tensor.",
             .complex = OnComplex::by_parts,
             .sample = "index=i64[5], source=f32[5]"}),
    op<bincount>("aten::bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
                 {.doc = "How often each number occurs.", .sample = "self=i64[width]"}),
};

}  // namespace

std::span<const Declaration> scatter_ops() { return kScatter; }

}  // namespace cameo::aten
