// Views and rearrangements of PyTorch's primitive operators (prims). They neither broadcast nor promote.
#include <algorithm>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr view_of(Emit&, Expr a) { return a; }

Expr reshaped_to(Emit&, Expr a, Shape shape) { return reshape(a, shape); }

// The dimensions of `a` become the given dimensions of the result; the others repeat it.
Expr broadcast_in_dim(Emit&, Expr a, Shape shape, Axes broadcast_dimensions) {
  if (std::ssize(broadcast_dimensions) != a.rank())
    throw ProgramError("there must be one broadcast dimension for each dimension of the input");
  Axes added;
  for (std::int64_t axis = 0; axis < shape.rank(); ++axis)
    if (std::ranges::find(broadcast_dimensions, axis) == broadcast_dimensions.end()) added.push_back(axis);
  if (std::ssize(added) + a.rank() != shape.rank())
    throw ProgramError("the broadcast dimensions must be different dimensions of the result");
  return expand(unsqueeze(a, added), shape);
}

// Merges the dimensions from `start` to `end`, both included.
Expr collapse(Emit&, Expr a, std::int64_t start, std::int64_t end) {
  if (a.rank() == 0) return reshape(a, {1});
  const std::int64_t first = a.wrap(start), last = a.wrap(end);
  if (first > last) throw ProgramError("'start' must not come after 'end'");
  Shape shape;
  for (std::int64_t axis = 0; axis < a.rank(); ++axis) {
    if (axis > first && axis <= last)
      shape.back() = shape.back() * a.dim(axis);
    else
      shape.push_back(a.dim(axis));
  }
  return reshape(a, shape);
}

Expr split_dim(Emit& e, Expr a, std::int64_t dim, Dim outer_length) {
  const std::int64_t axis = a.wrap(dim);
  const std::optional<Dim> exact = e.sym().divide_exactly(a.dim(axis), outer_length);
  if (!exact) e.sym().assume_divisible(a.dim(axis), outer_length);
  Shape shape = a.shape();
  shape[axis] = outer_length;
  shape.insert(shape.begin() + axis + 1, exact ? *exact : sym::floordiv(a.dim(axis), outer_length));
  return reshape(a, shape);
}

Expr squeeze_given(Emit& e, Expr a, Axes dimensions) {
  const Axes axes = wrap_axes(a, dimensions);
  for (std::int64_t axis : axes)
    if (e.sym().equal(a.dim(axis), 1) == sym::Truth::no)
      throw ProgramError("a dimension that is removed must have the size 1");
  return squeeze(a, axes);
}

Expr transposed(Emit&, Expr a, Axes permutation) {
  if (std::ssize(wrap_axes(a, permutation)) != a.rank())
    throw ProgramError("each dimension must be given once");
  for (std::int64_t& axis : permutation) axis = a.wrap(axis);
  return transpose(a, permutation);
}

Expr reversed(Emit& e, Expr a, Axes dims) {
  const Axes axes = wrap_axes(a, dims), backwards(axes.size(), -1);
  if (axes.empty()) return a;
  const Axes before_first(axes.size(), std::numeric_limits<std::int64_t>::min());
  return e.op("Slice", {a, e.ints(backwards), e.ints(before_first), e.ints(axes), e.ints(backwards)});
}

Expr joined_along(Emit&, std::vector<Expr> tensors, std::int64_t dim) {
  if (tensors.empty()) throw ProgramError("the list of tensors is empty");
  return concat(tensors, tensors[0].wrap(dim));
}

constexpr Declaration kPrimLayout[] = {
    op<view_of>("prims::view_of(Tensor(a) a) -> Tensor(a)",
                {.doc = "The tensor itself.", .complex = OnComplex::by_parts, .view = View::reshape}),
    op<reshaped_to>("prims::reshape(Tensor a, SymInt[] shape) -> Tensor",
                    {.doc = "The same elements in another shape.",
                     .complex = OnComplex::by_parts,
                     .sample = "a=f32[4,6,2], shape=[4, 12]"}),
    op<broadcast_in_dim>(
        "prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)",
        {.doc = "Repeats a tensor along new dimensions and along those of size 1.",
         .complex = OnComplex::by_parts,
         .sample = "a=f32[1,6], shape=[4, 2, 6], broadcast_dimensions=[0, 2]"}),
    op<collapse>("prims::collapse(Tensor a, int start, int end) -> Tensor",
                 {.doc = "Merges neighbouring dimensions into one.",
                  .complex = OnComplex::by_parts,
                  .sample = "a=f32[4,6,2], end=2"}),
    op<collapse>("prims::collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)",
                 {.doc = "Merges neighbouring dimensions into one.",
                  .complex = OnComplex::by_parts,
                  .sample = "a=f32[4,6,2], end=2",
                  .view = View::reshape}),
    op<split_dim>("prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)",
                  {.doc = "Takes one dimension apart into two.",
                   .complex = OnComplex::by_parts,
                   .sample = "a=f32[batch,6], dim=1, outer_length=2",
                   .view = View::reshape}),
    op<squeeze_given>("prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)",
                      {.doc = "Removes dimensions of size 1.",
                       .complex = OnComplex::by_parts,
                       .sample = "a=f32[batch,1,width], dimensions=[1]",
                       .view = View::reshape}),
    op<transposed>("prims::transpose(Tensor(a) a, int[] permutation) -> Tensor(a)",
                   {.doc = "The dimensions in another order.",
                    .complex = OnComplex::by_parts,
                    .sample = "a=f32[batch,6,width], permutation=[0, 2, 1]"}),
    op<reversed>("prims::rev(Tensor a, int[] dims) -> Tensor",
                 {.doc = "Reverses dimensions.", .complex = OnComplex::by_parts}),
    op<joined_along>("prims::cat(Tensor[] tensors, int dim) -> Tensor",
                     {.doc = "Joins tensors along a dimension.", .complex = OnComplex::by_parts}),
};

}  // namespace

std::span<const Declaration> prim_layout_ops() { return kPrimLayout; }

}  // namespace cameo::aten
