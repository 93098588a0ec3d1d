// Views and rearrangements: what changes the shape of a tensor and not its elements.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "aten/complex.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

using Axes = std::vector<std::int64_t>;

// The sizes with -1 resolved.
Shape resolved(Emit& e, const Expr& self, Shape sizes) {
  std::optional<std::size_t> open;
  Dim known = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].as_constant() == -1) {
      if (open) throw ProgramError("only one dimension can be inferred");
      open = i;
    } else {
      known = known * sizes[i];
    }
  }
  if (!open) return sizes;
  for (const Dim& size : sizes)
    if (size.as_constant() != -1)
      e.require({sym::Relation::less_equal, 1, size}, "a dimension of an empty tensor cannot be inferred");
  const Dim total = self.shape().product();
  if (known.as_constant() == 0) throw ProgramError("cannot infer a dimension of an empty tensor");
  if (std::optional<Dim> exact = e.sym().divide_exactly(total, known)) {
    sizes[*open] = *exact;
  } else {
    e.sym().assume_divisible(total, known);
    sizes[*open] = sym::floordiv(total, known);
  }
  return sizes;
}

Expr reshaped(Emit& e, Expr self, Shape sizes) {
  const Shape shape = resolved(e, self, std::move(sizes));
  Dim count = 1;
  for (const Dim& dim : shape) count = count * dim;
  if (e.sym().equal(count, self.shape().product()) == sym::Truth::no)
    throw ProgramError(fmt::format("a shape of {} elements is invalid for a tensor of {} elements",
                                   to_string(count), to_string(self.shape().product())));
  return reshape(self, shape);
}

Expr view(Emit& e, Expr self, Shape size) { return reshaped(e, self, std::move(size)); }
Expr reshape_alias(Emit& e, Expr self, Shape size, Ignored) { return reshaped(e, self, std::move(size)); }
Expr view_as(Emit& e, Expr self, Expr other) { return reshaped(e, self, other.shape()); }

Expr flatten(Emit&, Expr self, std::int64_t start_dim, std::int64_t end_dim) {
  if (self.rank() == 0) return reshape(self, {1});
  const std::int64_t first = self.wrap(start_dim), last = self.wrap(end_dim);
  if (first > last) throw ProgramError("'start_dim' must not come after 'end_dim'");
  Shape shape;
  Dim merged = 1;
  for (std::int64_t i = 0; i < self.rank(); ++i) {
    if (i < first || i > last)
      shape.push_back(self.shape()[i]);
    else
      merged = merged * self.shape()[i];
    if (i == last) shape.push_back(merged);
  }
  return reshape(self, shape);
}

Expr unflatten(Emit& e, Expr self, std::int64_t dim, Shape sizes, Ignored) {
  const std::int64_t axis = self.wrap(dim);
  Shape shape(self.shape().begin(), self.shape().begin() + axis);
  std::optional<std::size_t> open;
  Dim known = 1;
  for (const Dim& size : sizes) {
    if (size.as_constant() == -1)
      open = shape.size();
    else
      known = known * size;
    shape.push_back(size);
  }
  if (open) {
    std::optional<Dim> exact = e.sym().divide_exactly(self.dim(axis), known);
    shape[*open] = exact ? *exact : sym::floordiv(self.dim(axis), known);
  }
  shape.insert(shape.end(), self.shape().begin() + axis + 1, self.shape().end());
  return reshape(self, shape);
}

Expr squeeze_axes(Emit& e, Expr self, const Axes& axes) {
  Axes ones;
  for (std::int64_t axis : axes) {
    const sym::Truth one = e.sym().equal(self.dim(axis), 1);
    if (one == sym::Truth::unknown)
      throw Unsupported(fmt::format("dimension {} must be known to have size 1 or not, but its size is {}",
                                    axis, to_string(self.dim(axis))),
                        "give that dimension a fixed size, or say which dimensions to squeeze");
    if (one == sym::Truth::yes) ones.push_back(axis);
  }
  return ones.empty() ? self : Expr(squeeze(self, ones));
}

// Without a dimension, and with a size that is a runtime value, the rank of the result is a runtime value.
Expr squeeze_all(Emit& e, Expr self) {
  Axes ones;
  for (std::int64_t axis = 0; axis < self.rank(); ++axis) {
    const sym::Truth one = e.sym().equal(self.dim(axis), 1);
    if (one == sym::Truth::unknown) return e.op("Squeeze", {self});
    if (one == sym::Truth::yes) ones.push_back(axis);
  }
  return ones.empty() ? self : Expr(squeeze(self, ones));
}
Expr squeeze_dim(Emit& e, Expr self, std::int64_t dim) {
  return self.rank() == 0 ? self : squeeze_axes(e, self, {self.wrap(dim)});
}
Expr squeeze_dims(Emit& e, Expr self, Axes dim) {
  if (self.rank() == 0) return self;
  const Axes axes = wrap_axes(self, dim);
  return static_cast<std::int64_t>(axes.size()) == self.rank() ? squeeze_all(e, self)
                                                               : squeeze_axes(e, self, axes);
}

Expr unsqueeze(Emit&, Expr self, std::int64_t dim) {
  const std::int64_t count = self.rank() + 1;
  if (dim < -count || dim >= count) throw ProgramError(fmt::format("dimension {} is out of range", dim));
  return unsqueeze(self, {dim < 0 ? dim + count : dim});
}

Expr transpose(Emit&, Expr self, std::int64_t dim0, std::int64_t dim1) {
  if (self.rank() == 0) return self;
  Axes perm = all_axes(self);
  std::swap(element_at(perm, self.wrap(dim0)), element_at(perm, self.wrap(dim1)));
  return transpose(self, perm);
}
Expr t(Emit& e, Expr self) { return self.rank() < 2 ? self : transpose(e, self, 0, 1); }
Expr reversed_axes(Emit&, Expr self) {
  Axes perm = all_axes(self);
  std::ranges::reverse(perm);
  return transpose(self, perm);
}
Expr matrix_transpose(Emit& e, Expr self) { return transpose(e, self, -2, -1); }
Tensor adjoint(Emit& e, Tensor self) {
  const Complex x = parts_of(e, self);
  const Expr real = matrix_transpose(e, x.real);
  return x.is_real() ? Tensor(real) : pairs({real, -matrix_transpose(e, x.imaginary)});
}

Expr permute(Emit&, Expr self, Axes dims) {
  Axes perm;
  for (std::int64_t dim : dims) perm.push_back(self.wrap(dim));
  if (Axes sorted = wrap_axes(self, dims); std::ssize(sorted) != self.rank())
    throw ProgramError("each dimension must be given once");
  return transpose(self, perm);
}

Expr movedim(Emit&, Expr self, Axes source, Axes destination) {
  if (source.size() != destination.size())
    throw ProgramError("'source' and 'destination' have different lengths");
  Axes perm(as_size(self.rank()), -1);
  std::vector<bool> taken(perm.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    element_at(perm, self.wrap(destination[i])) = self.wrap(source[i]);
    element_at(taken, self.wrap(source[i])) = true;
  }
  std::int64_t next = 0;
  for (std::int64_t& axis : perm) {
    if (axis >= 0) continue;
    while (element_at(taken, next)) ++next;
    axis = next++;
  }
  return transpose(self, perm);
}
Expr movedim_one(Emit& e, Expr self, std::int64_t source, std::int64_t destination) {
  return movedim(e, self, {source}, {destination});
}

Expr expand(Emit& e, Expr self, Shape size, bool) {
  const std::int64_t added = std::ssize(size) - self.rank();
  if (added < 0) throw ProgramError("there are fewer sizes than dimensions");
  for (std::int64_t i = 0; i < std::ssize(size); ++i) {
    Dim& wanted = size[i];
    const std::optional<std::int64_t> known = wanted.as_constant();
    if (known == -1 && i < added) throw ProgramError("the size of a new dimension must not be -1");
    if (i < added || (known && known != -1)) continue;
    const Dim own = self.dim(i - added);
    const std::optional<std::int64_t> own_size = own.as_constant();
    if (known || (own_size && *own_size != 1))
      wanted = own;
    else if (e.sym().less(wanted, 0) != sym::Truth::no)
      wanted = sym::max(wanted, -wanted);  // ONNX keeps the size where 1 is asked for, as PyTorch for -1
  }
  return expand(self, size);
}
Expr expand_as(Emit&, Expr self, Expr other) { return expand(self, other.shape()); }
Expr broadcast_to(Emit& e, Expr self, Shape size) { return expand(e, self, std::move(size), false); }

Expr select(Emit& e, Expr self, std::int64_t dim, Dim index) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim size = self.dim(axis);
  if (e.sym().less_equal(size, index) == sym::Truth::yes || e.sym().less(index, -size) == sym::Truth::yes)
    throw ProgramError(fmt::format("index {} is out of range for dimension {} of size {}", to_string(index),
                                   axis, to_string(size)));
  const bool from_end = e.sym().less(index, 0) == sym::Truth::yes;
  if (from_end || e.sym().less_equal(0, index) == sym::Truth::yes)
    e.require({sym::Relation::less_equal, from_end ? -index : index + 1, size},
              fmt::format("index {} is out of range", to_string(index)));
  return gather(self, e.dim(index), axis);
}

bool sign_known(Emit& e, const std::optional<Dim>& bound) {
  return !bound || e.sym().less(*bound, 0) != sym::Truth::unknown;
}

Expr slice(Emit& e, Expr self, std::int64_t dim, std::optional<Dim> start, std::optional<Dim> end,
           std::int64_t step) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  if (step <= 0) throw ProgramError("the step must be positive");
  const std::int64_t axis = self.wrap(dim);
  if (!sign_known(e, start) || !sign_known(e, end)) {
    // ONNX counts negative bounds from the end, as Python does.
    const Dim last = end.value_or(std::numeric_limits<std::int64_t>::max());
    return e.op("Slice", {self, e.dims({start.value_or(0)}), e.dims({last}), e.ints({axis}), e.ints({step})});
  }
  auto [first, last] = slice_range(e, self.dim(axis), start, end);
  return slice(self, axis, first, last, step);
}

Expr narrow(Emit& e, Expr self, std::int64_t dim, Dim start, Dim length) {
  const std::int64_t axis = self.wrap(dim);
  const sym::Truth negative = e.sym().less(start, 0);
  if (negative == sym::Truth::yes) start = start + self.dim(axis);
  if (negative == sym::Truth::unknown) start = sym::mod(start, self.dim(axis));
  if (e.sym().less(self.dim(axis), start + length) == sym::Truth::yes)
    throw ProgramError(fmt::format("{} elements from {} on exceed the size {}", to_string(length),
                                   to_string(start), to_string(self.dim(axis))));
  return slice(self, axis, start, start + length);
}

// A slice backwards: ONNX takes negative steps.
Expr flip(Emit& e, Expr self, Axes dims) {
  Axes axes = wrap_axes(self, dims);
  if (axes.empty()) return self;
  return e.op("Slice", {self, e.ints(Axes(axes.size(), -1)),
                        e.ints(Axes(axes.size(), std::numeric_limits<std::int64_t>::min())), e.ints(axes),
                        e.ints(Axes(axes.size(), -1))});
}

Expr roll(Emit& e, Expr self, Shape shifts, Axes dims) {
  const bool flat = dims.empty();
  Expr x = flat ? Expr(reshape(self, {self.shape().product()})) : self;
  if (flat) dims = {0};
  if (shifts.size() != dims.size()) throw ProgramError("there must be one shift for each dimension");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t axis = x.wrap(dims[i]);
    const Dim size = x.dim(axis);
    if (size.as_constant() == 0) continue;
    const Dim at = sym::mod(-shifts[i], size);
    if (e.sym().equal(at, 0) == sym::Truth::yes) continue;
    x = concat({slice(x, axis, at, size), slice(x, axis, 0, at)}, axis);
  }
  return flat ? Expr(reshape(x, self.shape())) : x;
}

Expr narrow_at(Emit& e, Expr self, std::int64_t dim, Expr start, Dim length) {
  return narrow(e, self, dim, e.number(reshape(start, {})), length);
}

Expr atleast_1d(Emit&, Expr self) { return self.rank() == 0 ? Expr(reshape(self, {1})) : self; }
Expr atleast_2d(Emit&, Expr self) {
  return self.rank() >= 2 ? self : Expr(unsqueeze(self, self.rank() == 0 ? Axes{0, 1} : Axes{0}));
}

Expr atleast_3d(Emit&, Expr self) {
  if (self.rank() == 0) return unsqueeze(self, {0, 1, 2});
  if (self.rank() == 1) return unsqueeze(self, {0, 2});
  return self.rank() == 2 ? Expr(unsqueeze(self, {2})) : self;
}
template <Expr (*kAtLeast)(Emit&, Expr)>
std::vector<Expr> each(Emit& e, std::vector<Expr> tensors) {
  for (Expr& tensor : tensors) tensor = kAtLeast(e, tensor);
  return tensors;
}
Expr ravel(Emit&, Expr self) { return reshape(self, {self.shape().product()}); }

constexpr Declaration kLayout[] = {
    op<view>("aten::view(Tensor(a) self, int[] size) -> Tensor(a)",
             {.doc = "The same elements in another shape; one size may be -1.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::integers,
              .copies = {"aten::view_copy"},
              .sample = "self=f32[batch,6,2], size=[-1, 12]",
              .view = View::reshape,
              .sizes = SizeList::reshape}),
    op<view>("aten::reshape(Tensor(a) self, int[] shape) -> Tensor(a)",
             {.doc = "The same elements in another shape; one size may be -1.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::integers,
              .sample = "self=f32[batch,6,2], shape=[-1, 12]",
              .view = View::reshape_or_copy,
              .sizes = SizeList::reshape}),
    op<view>("aten::_unsafe_view(Tensor self, int[] size) -> Tensor",
             {.doc = "The same elements in another shape.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::integers,
              .aliases = {"aten::_reshape_copy"},
              .sample = "self=f32[batch,6,2], size=[-1, 12]",
              .sizes = SizeList::reshape}),
    op<reshape_alias>("aten::_reshape_alias(Tensor(a) self, int[] size, int[] stride) -> Tensor(a)",
                      {.doc = "The same elements in another shape.",
                       .complex = OnComplex::by_parts,
                       .quantized = OnQuantized::integers,
                       .copies = {"aten::_reshape_alias_copy"},
                       .sample = "self=f32[batch,6,2], size=[-1, 12], stride=[12, 1]",
                       .view = View::reshape}),
    op<view_as>("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                {.doc = "In the shape of another tensor.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .sample = "self=f32[batch,6,2], other=f32[batch,12]",
                 .view = View::reshape}),
    op<view_as>("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                {.doc = "In the shape of another tensor.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .sample = "self=f32[batch,6,2], other=f32[batch,12]",
                 .view = View::reshape_or_copy}),
    op<flatten>("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
                {.doc = "Merges neighbouring dimensions into one.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .view = View::reshape_or_copy}),
    op<unflatten>("aten::unflatten.int(Tensor(a) self, int dim, int[] sizes, str[]? names=None) -> Tensor(a)",
                  {.doc = "Takes one dimension apart into several.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .sample = "self=f32[batch,6], dim=1, sizes=[2, 3]",
                   .view = View::reshape}),
    op<squeeze_all>("aten::squeeze(Tensor(a) self) -> Tensor(a)", {.doc = "Drops all dimensions of size 1.",
                                                                   .complex = OnComplex::by_parts,
                                                                   .quantized = OnQuantized::integers,
                                                                   .copies = {"aten::squeeze_copy"},
                                                                   .sample = "self=f32[batch,1,width]",
                                                                   .view = View::reshape,
                                                                   .rank_depends_on_sizes = true}),
    op<squeeze_dim>("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
                    {.doc = "Drops one dimension if its size is 1.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .copies = {"aten::squeeze_copy.dim"},
                     .sample = "self=f32[batch,1,width], dim=1",
                     .view = View::reshape}),
    op<squeeze_dims>("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
                     {.doc = "Drops the given dimensions of size 1.",
                      .complex = OnComplex::by_parts,
                      .quantized = OnQuantized::integers,
                      .copies = {"aten::squeeze_copy.dims"},
                      .sample = "dim=[1], self=f32[batch,1,width]",
                      .view = View::reshape}),
    op<unsqueeze>("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
                  {.doc = "Inserts a dimension of size 1.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .copies = {"aten::unsqueeze_copy"},
                   .view = View::reshape}),
    op<transpose>("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                  {.doc = "Exchanges two dimensions.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .aliases = {"aten::swapdims"},
                   .copies = {"aten::transpose_copy.int"},
                   .view = View::transpose}),
    op<transpose>("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
                  {.doc = "Exchanges two dimensions.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .view = View::transpose}),
    op<t>("aten::t(Tensor(a) self) -> Tensor(a)", {.doc = "The transposed matrix.",
                                                   .complex = OnComplex::by_parts,
                                                   .quantized = OnQuantized::integers,
                                                   .copies = {"aten::t_copy"},
                                                   .sample = "self=f32[batch,width]",
                                                   .view = View::transpose_last}),
    op<reversed_axes>("aten::numpy_T(Tensor(a) self) -> Tensor(a)",
                      {.doc = "All dimensions in reverse order.",
                       .complex = OnComplex::by_parts,
                       .quantized = OnQuantized::integers,
                       .aliases = {"prim::T"},
                       .view = View::reverse_axes}),
    op<matrix_transpose>("aten::mT(Tensor(a) self) -> Tensor(a)",
                         {.doc = "Exchanges the last two dimensions.",
                          .complex = OnComplex::by_parts,
                          .quantized = OnQuantized::integers,
                          .aliases = {"prim::mT"},
                          .view = View::transpose_last}),
    op<permute>("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)",
                {.doc = "The dimensions in another order.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .copies = {"aten::permute_copy"},
                 .sample = "self=f32[batch,6,height,width], dims=[0, 2, 3, 1]",
                 .view = View::permute}),
    op<movedim>("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
                {.doc = "Moves dimensions to other positions.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .aliases = {"aten::moveaxis.intlist"},
                 .sample = "source=[1], destination=[-1]"}),
    op<movedim_one>("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
                    {.doc = "Moves a dimension to another position.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .aliases = {"aten::moveaxis.int"}}),
    op<expand>("aten::expand(Tensor(a) self, int[] size, *, bool implicit=False) -> Tensor(a)",
               {.doc = "Repeats dimensions of size 1; -1 keeps a size.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .copies = {"aten::expand_copy"},
                .sample = "self=f32[1,6], size=[i64[], 6]",
                .sizes = SizeList::result}),
    op<expand_as>("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                  {.doc = "Expands to the shape of another tensor.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .sample = "self=f32[1,6], other=f32[batch,6]"}),
    op<broadcast_to>("aten::broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)",
                     {.doc = "Expands to a shape.",
                      .complex = OnComplex::by_parts,
                      .quantized = OnQuantized::integers,
                      .sample = "self=f32[1,6], size=[i64[], 6]"}),
    op<select>("aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)",
               {.doc = "One index of a dimension, which goes away.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .copies = {"aten::select_copy.int"},
                .view = View::select}),
    op<slice>("aten::slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> "
              "Tensor(a)",
              {.doc = "A range of a dimension, by Python's rules.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .copies = {"aten::slice_copy.Tensor"},
               .sample = "dim=2, start=1, end=-1",
               .view = View::slice}),
    op<narrow>("aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)",
               {.doc = "A range of a dimension, by start and length.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .view = View::part}),
    op<narrow_at>("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)",
                  {.doc = "A range of a dimension, by start and length.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .sample = "start=i64[]",
                   .view = View::part}),
    op<flip>(
        "aten::flip(Tensor self, int[] dims) -> Tensor",
        {.doc = "Reverses dimensions.", .complex = OnComplex::by_parts, .quantized = OnQuantized::integers}),
    op<roll>(
        "aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor",
        {.doc = "Rotates dimensions.", .complex = OnComplex::by_parts, .quantized = OnQuantized::integers}),
    op<atleast_1d>("aten::atleast_1d(Tensor(a) self) -> Tensor(a)", {.doc = "At least one dimension.",
                                                                     .complex = OnComplex::by_parts,
                                                                     .quantized = OnQuantized::integers,
                                                                     .sample = "self=f32[]",
                                                                     .view = View::reshape_or_copy}),
    op<each<atleast_1d>>("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]",
                         {.doc = "At least one dimension each.", .complex = OnComplex::by_parts}),
    op<atleast_2d>("aten::atleast_2d(Tensor(a) self) -> Tensor(a)", {.doc = "At least two dimensions.",
                                                                     .complex = OnComplex::by_parts,
                                                                     .quantized = OnQuantized::integers,
                                                                     .sample = "self=f32[width]",
                                                                     .view = View::reshape_or_copy}),
    op<each<atleast_2d>>("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]",
                         {.doc = "At least two dimensions each.", .complex = OnComplex::by_parts}),
    op<atleast_3d>("aten::atleast_3d(Tensor(a) self) -> Tensor(a)", {.doc = "At least three dimensions.",
                                                                     .complex = OnComplex::by_parts,
                                                                     .quantized = OnQuantized::integers,
                                                                     .sample = "self=f32[width]",
                                                                     .view = View::reshape_or_copy}),
    op<each<atleast_3d>>("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]",
                         {.doc = "At least three dimensions each.", .complex = OnComplex::by_parts}),
    op<ravel>("aten::ravel(Tensor(a) self) -> Tensor(a)", {.doc = "All dimensions in one.",
                                                           .complex = OnComplex::by_parts,
                                                           .quantized = OnQuantized::integers,
                                                           .view = View::reshape_or_copy}),
    op<adjoint, adjoint>("aten::mH(Tensor(a) self) -> Tensor(a)",
                         {.doc = "Exchanges the last two dimensions; complex numbers are conjugated.",
                          .aliases = {"prim::mH", "aten::adjoint", "aten::matrix_H"},
                          .view = View::transpose_last}),
};

}  // namespace

std::span<const Declaration> layout_ops() { return kLayout; }

}  // namespace cameo::aten
