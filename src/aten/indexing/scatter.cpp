// Elements read and written along one dimension.
#include <fmt/format.h>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor with_axis(Emit& e, const Tensor& x) { return x.rank() == 0 ? Tensor(e.reshape(x, {1})) : x; }
Tensor as_before(Emit& e, onnx::Value* x, const Tensor& self) {
  return self.rank() == 0 ? Tensor(e.reshape(x, {})) : Tensor(x);
}

Tensor gather(Emit& e, Tensor self, std::int64_t dim, Tensor index, bool) {
  const std::int64_t axis = self.wrap(dim);
  const Tensor places = e.cast(index, DType::i64);
  onnx::Value* found = e.op("GatherElements", {with_axis(e, self), with_axis(e, places)}, {{"axis", axis}});
  return as_before(e, found, index);
}

Tensor take_along_dim(Emit& e, Tensor self, Tensor indices, std::optional<std::int64_t> dim) {
  if (!dim)
    return gather(e, e.reshape(self, {numel(e, self)}), 0, e.reshape(indices, {numel(e, indices)}), false);
  if (self.rank() != indices.rank()) throw ProgramError("the tensors have different ranks");
  const std::int64_t axis = self.wrap(*dim);
  Shape of_self = self.shape(), of_indices = indices.shape();
  const auto at = static_cast<std::size_t>(axis);
  of_self[at] = of_indices[at] = 1;
  Shape shape = broadcast_shape(e, of_self, of_indices);
  shape[at] = self.dim(axis);
  onnx::Value* source = e.expand(self, shape);
  shape[at] = indices.dim(axis);
  return gather(e, source, axis, e.expand(indices, shape), false);
}

Tensor index_select(Emit& e, Tensor self, std::int64_t dim, Tensor index) {
  const std::int64_t axis = self.wrap(dim);
  return as_before(e, e.gather(with_axis(e, self), with_axis(e, index), axis), self);
}

Tensor take(Emit& e, Tensor self, Tensor index) {
  return e.gather(e.reshape(self, {numel(e, self)}), index, 0);
}

// Combines updates with what is there: "none", "add" or "mul". ONNX adds no booleans.
onnx::Value* scatter_elements(Emit& e, onnx::Value* x, onnx::Value* index, onnx::Value* updates,
                              std::int64_t axis, const std::string& how) {
  const DType dtype = x->dtype();
  const DType inside = how != "none" && dtype == DType::boolean ? DType::i32 : dtype;
  onnx::Attributes attributes{{"axis", axis}};
  if (how != "none") attributes.push_back({"reduction", how});
  onnx::Value* out =
      e.op("ScatterElements", {e.cast(x, inside), index, e.cast(updates, inside)}, std::move(attributes));
  return e.cast(out, dtype);
}

// ONNX wants updates of the shape of the indices; PyTorch reads the front of larger ones.
onnx::Value* fitted(Emit& e, const Tensor& updates, const Shape& shape) {
  onnx::Value* x = updates;
  for (std::size_t i = 0; i < shape.size(); ++i) x = e.slice(x, static_cast<std::int64_t>(i), 0, shape[i]);
  return x;
}

Tensor scatter_tensor(Emit& e, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& how) {
  const std::int64_t axis = self.wrap(dim);
  const Tensor places = with_axis(e, index);
  if (numel(e, places).as_constant() == 0) return self;
  onnx::Value* updates = fitted(e, with_axis(e, e.cast(src, self.dtype())), places.shape());
  return as_before(e, scatter_elements(e, with_axis(e, self), places, updates, axis, how), self);
}
Tensor scatter_number(Emit& e, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                      const std::string& how) {
  const Tensor places = with_axis(e, index);
  return scatter_tensor(e, self, dim, index, filled(e, scalar_like(e, self, value), places.shape()), how);
}

std::string combination(const std::string& reduce) {
  if (reduce == "add") return "add";
  if (reduce == "multiply") return "mul";
  throw ProgramError(fmt::format("'reduce' must be 'add' or 'multiply', not '{}'", reduce));
}

Tensor scatter_src(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor src) {
  return scatter_tensor(e, self, dim, index, src, "none");
}
Tensor scatter_value(Emit& e, Tensor self, std::int64_t dim, Tensor index, Scalar value) {
  return scatter_number(e, self, dim, index, value, "none");
}
Tensor scatter_src_reduce(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor src,
                          std::string reduce) {
  return scatter_tensor(e, self, dim, index, src, combination(reduce));
}
Tensor scatter_value_reduce(Emit& e, Tensor self, std::int64_t dim, Tensor index, Scalar value,
                            std::string reduce) {
  return scatter_number(e, self, dim, index, value, combination(reduce));
}
Tensor scatter_add(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor src) {
  return scatter_tensor(e, self, dim, index, src, "add");
}

// Sums divided by how many there were.
Tensor averaged(Emit& e, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& sums,
                bool include_self) {
  onnx::Value* one = e.scalar(self.dtype(), std::int64_t{1});
  onnx::Value* zero = e.scalar(self.dtype(), std::int64_t{0});
  onnx::Value* start = filled(e, include_self ? one : zero, self.shape());
  onnx::Value* counts =
      scatter_tensor(e, start, dim, index, filled(e, one, with_axis(e, index).shape()), "add");
  if (!include_self) counts = maximum(e, counts, one);
  if (is_floating(self.dtype())) return e.op("Div", {sums, counts});
  onnx::Value* rest = e.op("Mod", {sums, counts});
  return e.op("Div", {e.op("Sub", {sums, rest}), counts});
}

Tensor scatter_reduce(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor src, std::string how,
                      bool include_self) {
  const bool sums = how == "sum" || how == "mean";
  if (!sums && how != "prod" && how != "amax" && how != "amin")
    throw ProgramError(fmt::format("'{}' is not a reduction", how));
  Tensor start = self;
  if (!include_self) {
    // What is written to starts from the neutral element, or from an update where there is none.
    start = sums            ? scatter_number(e, self, dim, index, Scalar{Dim(0)}, "none")
            : how == "prod" ? scatter_number(e, self, dim, index, Scalar{Dim(1)}, "none")
                            : scatter_tensor(e, self, dim, index, src, "none");
  }
  const char* combine = sums ? "add" : how == "prod" ? "mul" : how == "amax" ? "max" : "min";
  const Tensor out = scatter_tensor(e, start, dim, index, src, combine);
  return how == "mean" ? averaged(e, self, dim, index, out, include_self) : out;
}

// Whole slices along a dimension: the front one by tuples, others element by element.
Tensor put_slices(Emit& e, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                  const std::string& how) {
  const std::int64_t axis = self.wrap(dim);
  const Tensor x = with_axis(e, self), places = with_axis(e, index);
  Shape shape = x.shape();
  shape[static_cast<std::size_t>(axis)] = places.dim(0);
  onnx::Value* updates = e.cast(source, self.dtype());
  updates = numel(e, source).as_constant() == 1 && source.rank() == 0 ? e.expand(updates, shape)
                                                                      : with_axis(e, updates).value;
  if (axis == 0 && self.dtype() != DType::boolean) {
    onnx::Attributes attributes;
    if (how != "none") attributes.push_back({"reduction", how});
    return as_before(
        e,
        e.op("ScatterND", {x, e.unsqueeze(e.cast(places, DType::i64), {1}), updates}, std::move(attributes)),
        self);
  }
  Shape column(shape.size(), Dim(1));
  column[static_cast<std::size_t>(axis)] = places.dim(0);
  onnx::Value* spread_index = e.expand(e.reshape(places, column), shape);
  return as_before(e, scatter_elements(e, x, spread_index, updates, axis, how), self);
}

Tensor index_add(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor source, Scalar alpha) {
  Tensor scaled = source;
  if (alpha.known() != 1.0) scaled = compute(e, "Mul", {source, scalar_like(e, source, alpha)});
  return put_slices(e, self, dim, index, scaled, "add");
}
Tensor index_copy(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor source) {
  return put_slices(e, self, dim, index, source, "none");
}
Tensor index_fill(Emit& e, Tensor self, std::int64_t dim, Tensor index, Scalar value) {
  return put_slices(e, self, dim, index, scalar_like(e, self, value), "none");
}
Tensor index_fill_tensor(Emit& e, Tensor self, std::int64_t dim, Tensor index, Tensor value) {
  if (value.rank() != 0) throw ProgramError("the value must have no dimensions");
  return put_slices(e, self, dim, index, value, "none");
}

Tensor put(Emit& e, Tensor self, Tensor index, Tensor source, bool accumulate) {
  const Dim total = numel(e, self);
  const Tensor flat = e.reshape(self, {total}), places = e.reshape(index, {numel(e, index)});
  const Tensor updates = e.reshape(source, {numel(e, source)});
  return e.reshape(put_slices(e, flat, 0, places, updates, accumulate ? "add" : "none"), self.shape());
}

Tensor bincount(Emit& e, Tensor self, std::optional<Tensor> weights, std::int64_t minlength) {
  if (self.rank() != 1) throw ProgramError("the input must have one dimension");
  const Tensor x = e.cast(self, DType::i64);
  onnx::Value* largest = reduce(e, "ReduceMax", x, {0}, false);
  const Dim size = e.number(compute(e, "Max", {e.op("Add", {largest, e.dim(1)}), e.dim(minlength)}));
  const DType dtype = !weights ? DType::i64 : weights->dtype() == DType::f32 ? DType::f32 : DType::f64;
  onnx::Value* updates = weights ? e.cast(*weights, dtype) : filled(e, e.dim(1), self.shape());
  return scatter_elements(e, filled(e, e.scalar(dtype, std::int64_t{0}), {size}), x, updates, 0, "add");
}

constexpr Declaration kScatter[] = {
    op<gather>("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
               {.doc = "Elements of a dimension, chosen for each position."}),
    op<take_along_dim>(
        "aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
        {.doc = "Elements of a dimension, chosen for each position, with broadcasting.", .sample = "dim=1"}),
    op<index_select>("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor",
                     {.doc = "Given indices of a dimension.", .sample = "index=i64[3]"}),
    op<take>("aten::take(Tensor self, Tensor index) -> Tensor",
             {.doc = "Elements by their places in the flat tensor.", .sample = "index=i64[5]"}),
    op<scatter_src>("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                    {.doc = "Writes elements to chosen places of a dimension."}),
    op<scatter_value>("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
                      {.doc = "Writes a number to chosen places of a dimension."}),
    op<scatter_src_reduce>(
        "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
        {.doc = "Adds or multiplies elements into chosen places of a dimension.", .sample = "reduce='add'"}),
    op<scatter_value_reduce>(
        "aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> "
        "Tensor",
        {.doc = "Adds or multiplies a number into chosen places of a dimension.", .sample = "reduce='add'"}),
    op<scatter_add>("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                    {.doc = "Adds elements into chosen places of a dimension."}),
    op<scatter_reduce>(
        "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
        "bool include_self=True) -> Tensor",
        {.doc = "Combines elements in chosen places of a dimension."}),
    op<index_add>(
        "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
        {.doc = "Adds slices to given indices of a dimension.",
         .sample = "self=f32[batch,6,width], index=i64[3], source=f32[batch,3,width]"}),
    op<index_copy>("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
                   {.doc = "Writes slices to given indices of a dimension.",
                    .sample = "self=f32[batch,6,width], index=i64[3], source=f32[batch,3,width]"}),
    op<index_fill>("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
                   {.doc = "Fills given indices of a dimension with a number.", .sample = "index=i64[3]"}),
    op<index_fill_tensor>(
        "aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        {.doc = "Fills given indices of a dimension with a number.",
         .sample = "self=f32[batch,6,width], value=f32[], index=i64[3]"}),
    op<put>("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
            {.doc = "Writes or adds elements by their places in the flat tensor.",
             .sample = "index=i64[5], source=f32[5]"}),
    op<bincount>("aten::bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
                 {.doc = "How often each number occurs.", .sample = "self=i64[width]"}),
};

}  // namespace

std::span<const Declaration> scatter_ops() { return kScatter; }

}  // namespace cameo::aten
