// Repeated and turned elements, and copies in which a part is replaced.
#include <limits>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr repeat_interleave(Emit&, Expr self, Dim repeats, std::optional<std::int64_t> dim, Ignored) {
  const Expr x = dim && self.rank() > 0 ? self : Expr(reshape(self, {self.shape().product()}));
  const std::int64_t axis = x.wrap(dim.value_or(0));
  Shape wide = x.shape(), shape = x.shape();
  wide.insert(wide.begin() + axis + 1, repeats);
  shape[axis] = x.dim(axis) * repeats;
  return reshape(expand(unsqueeze(x, {axis + 1}), wide), shape);
}

// Each index as often as its number says.
Expr repeated_indices(Emit& e, const Expr& repeats) {
  const Expr ends = cumulative_sum(cast(repeats, DType::i64), 0);
  const Dim total = e.number(gather(ends, e.dim(-1), 0));
  const Expr places = indices(e, total);
  const Expr passed = ends <= unsqueeze(places, {1});
  return reduce_sum(cast(passed, DType::i64), {1});
}

Expr repeat_interleave_each(Emit& e, Expr self, Expr repeats, std::optional<std::int64_t> dim,
                            Ignored ignored) {
  if (repeats.shape().product().as_constant() == 1)
    return repeat_interleave(e, self, e.number(reshape(repeats, {})), dim, ignored);
  if (repeats.rank() != 1) throw ProgramError("'repeats' must have one dimension");
  const Expr x = dim && self.rank() > 0 ? self : Expr(reshape(self, {self.shape().product()}));
  const std::int64_t axis = x.wrap(dim.value_or(0));
  if (e.sym().equal(repeats.dim(0), x.dim(axis)) == sym::Truth::no)
    throw ProgramError("'repeats' must have the size of the dimension");
  const Expr all = expand(repeats, {x.dim(axis)});
  return gather(x, repeated_indices(e, all), axis);
}
Expr repeat_interleave_indices(Emit& e, Expr repeats, Ignored) {
  if (repeats.rank() != 1) throw ProgramError("'repeats' must have one dimension");
  return cast(repeated_indices(e, repeats), repeats.dtype());
}

Expr reversed(const Expr& self, std::int64_t axis) {
  return slice(self, axis, -1, std::numeric_limits<std::int64_t>::min(), -1);
}

Expr rot90(Emit&, Expr self, std::int64_t k, Axes dims) {
  if (dims.size() != 2 || self.rank() < 2) throw ProgramError("exactly two dimensions must be given");
  const std::int64_t from = self.wrap(dims[0]), to = self.wrap(dims[1]);
  if (from == to) throw ProgramError("the two dimensions must differ");
  const std::int64_t turns = (k % 4 + 4) % 4;
  if (turns == 0) return self;
  if (turns == 2) return reversed(reversed(self, from), to);
  Axes perm = all_axes(self);
  std::swap(element_at(perm, from), element_at(perm, to));
  if (turns == 1) return transpose(reversed(self, to), perm);
  return transpose(reversed(self, from), perm);
}
Expr fliplr(Emit&, Expr self) {
  if (self.rank() < 2) throw ProgramError("the input must have at least two dimensions");
  return reversed(self, 1);
}
Expr flipud(Emit&, Expr self) {
  if (self.rank() < 1) throw ProgramError("the input must have at least one dimension");
  return reversed(self, 0);
}

// The part before, the new part, the part after.
Expr replaced(Emit& e, const Expr& self, Expr part, std::int64_t axis, const Dim& start, const Dim& end) {
  std::vector<Expr> parts;
  if (e.sym().equal(start, 0) != sym::Truth::yes) parts.push_back(slice(self, axis, 0, start));
  parts.push_back(part);
  if (e.sym().equal(end, self.dim(axis)) != sym::Truth::yes)
    parts.push_back(slice(self, axis, end, self.dim(axis)));
  return concat(parts, axis);
}

Expr select_scatter(Emit& e, Expr self, Expr src, std::int64_t dim, Dim index) {
  const std::int64_t axis = self.wrap(dim);
  const Dim size = self.dim(axis);
  if (e.sym().less(index, 0) != sym::Truth::no) index = e.simplify(sym::mod(index, size));
  const Expr part = unsqueeze(cast(src, self.dtype()), {axis});
  return replaced(e, self, part, axis, index, index + 1);
}

Expr slice_scatter(Emit& e, Expr self, Expr src, std::int64_t dim, std::optional<Dim> start,
                   std::optional<Dim> end, std::int64_t step) {
  if (step <= 0) throw ProgramError("the step must be positive");
  const std::int64_t axis = self.wrap(dim);
  auto [first, last] = slice_range(e, self.dim(axis), start, end);
  Shape shape = self.shape();
  shape[axis] = sym::ceildiv(last - first, step);
  const Expr part = expand(cast(src, self.dtype()), shape);
  if (step == 1) return replaced(e, self, part, axis, first, last);
  const Expr places = e.op("Range", {e.dim(first), e.dim(last), e.dim(step)});
  Shape column(shape.size(), Dim(1));
  column[axis] = shape[axis];
  return e.op("ScatterElements", {self, expand(reshape(places, column), shape), part}, {{"axis", axis}});
}

constexpr Declaration kRearrange[] = {
    op<repeat_interleave>("aten::repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? "
                          "output_size=None) -> Tensor",
                          {.doc = "Each element so many times.",
                           .complex = OnComplex::by_parts,
                           .quantized = OnQuantized::integers,
                           .sample = "repeats=2, dim=1"}),
    op<repeat_interleave_each>(
        "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, "
        "*, int? output_size=None) -> Tensor",
        {.doc = "Each element its own number of times.", .complex = OnComplex::by_parts}),
    op<repeat_interleave_indices>(
        "aten::repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor",
        {.doc = "Each index its own number of times."}),
    op<rot90>("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor",
              {.doc = "Turns a plane by right angles.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers}),
    op<fliplr>("aten::fliplr(Tensor self) -> Tensor", {.doc = "Reverses the second dimension.",
                                                       .complex = OnComplex::by_parts,
                                                       .quantized = OnQuantized::integers}),
    op<flipud>("aten::flipud(Tensor self) -> Tensor", {.doc = "Reverses the first dimension.",
                                                       .complex = OnComplex::by_parts,
                                                       .quantized = OnQuantized::integers}),
    op<select_scatter>("aten::select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
                       {.doc = "A copy with another slice at an index.",
                        .complex = OnComplex::by_parts,
                        .sample = "self=f32[batch,6,height], src=f32[batch,height]"}),
    op<slice_scatter>(
        "aten::slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) "
        "-> Tensor",
        {.doc = "A copy with another range of a dimension.",
         .complex = OnComplex::by_parts,
         .sample = "dim=2, start=1, end=-1, self=f32[batch,6,10,width], src=f32[batch,6,8,width]"}),
};

}  // namespace

std::span<const Declaration> rearrange_ops() { return kRearrange; }

}  // namespace cameo::aten
