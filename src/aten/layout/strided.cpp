// Elements chosen by where they lie in memory. The evaluator sees to it that the tensor lies there row by row
// and from the beginning.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr flat(Emit&, const Expr& x) { return reshape(x, {x.shape().product()}); }

// The places in memory of a tensor of this size and these strides.
Expr places(Emit& e, const Expr& self, const Shape& size, const Shape& stride,
            const std::optional<Dim>& offset) {
  if (size.size() != stride.size()) throw ProgramError("'size' and 'stride' have different lengths");
  Expr at = e.dim(offset.value_or(Dim(0)));
  Dim last = offset.value_or(Dim(0));
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (e.sym().less(stride[i], 0) == sym::Truth::yes) throw ProgramError("a stride is negative");
    if (size[i].as_constant() == 0) return filled(e.dim(0), size);
    last = last + (size[i] - 1) * stride[i];
    const Expr steps = indices(e, size[i]) * stride[i];
    Shape line(size.size() - i, Dim(1));
    line[0] = size[i];
    at = at + reshape(steps, line);
  }
  if (e.sym().less(last, self.shape().product()) == sym::Truth::no)
    throw Unsupported("it reads beyond the end of this tensor, whose storage is not known");
  return expand(at, size);
}

Expr as_strided(Emit& e, Expr self, Shape size, Shape stride, std::optional<Dim> storage_offset) {
  return gather(flat(e, self), places(e, self, size, stride, storage_offset), 0);
}

Expr as_strided_scatter(Emit& e, Expr self, Expr src, Shape size, Shape stride,
                        std::optional<Dim> storage_offset) {
  const Expr index = places(e, self, size, stride, storage_offset);
  if (index.shape().product().as_constant() == 0) return self;
  const Expr source = expand(cast(src, self.dtype()), size);
  return reshape(
      e.op("ScatterElements", {flat(e, self), flat(e, index), flat(e, source)}, {{"axis", std::int64_t{0}}}),
      self.shape());
}

Expr narrow_copy(Emit& e, Expr self, std::int64_t dim, Dim start, Dim length) {
  if (self.rank() == 0) throw ProgramError("the input must have at least one dimension");
  const std::int64_t axis = self.wrap(dim);
  const Dim from = slice_range(e, self.dim(axis), start, std::nullopt).first;
  if (e.sym().less(self.dim(axis), from + length) == sym::Truth::yes)
    throw ProgramError("'start' and 'length' exceed the size of the dimension");
  return slice(self, axis, from, from + length);
}

constexpr Declaration kStrided[] = {
    op<as_strided>("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? "
                   "storage_offset=None) -> Tensor(a)",
                   {.doc = "Elements at regular places of the memory of a contiguous tensor.",
                    .copies = {"aten::as_strided_copy"},
                    .sample = "self=f32[4,6], size=[2, 3], stride=[6, 1], storage_offset=1"}),
    op<as_strided_scatter>(
        "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
        "storage_offset=None) -> Tensor",
        {.doc = "A copy with other elements at regular places of its memory.",
         .sample = "self=f32[4,6], size=[2, 3], stride=[6, 1], storage_offset=1, src=f32[2,3]"}),
    op<narrow_copy>("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
                    {.doc = "A copy of a range of a dimension.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::integers,
                     .sample = "self=f32[batch,6,width], dim=1, start=1, length=2"}),
};

}  // namespace

std::span<const Declaration> strided_ops() { return kStrided; }

}  // namespace cameo::aten
