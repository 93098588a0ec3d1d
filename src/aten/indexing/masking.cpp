// Elements chosen by a mask.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr fill(const Expr& self, const Expr& mask, Expr value) {
  return where(cast(mask, DType::boolean), value, self);
}

Expr masked_fill(Emit&, Expr self, Expr mask, Scalar value) {
  return fill(self, mask, scalar_like(self, value));
}
Expr masked_fill_tensor(Emit&, Expr self, Expr mask, Expr value) {
  if (value.rank() != 0) throw ProgramError("the value must have no dimensions");
  return fill(self, mask, cast(value, self.dtype()));
}

Expr masked_select(Emit& e, Expr self, Expr mask) {
  const Shape shape = broadcast_shape(e, self.shape(), mask.shape());
  const Expr all = expand(cast(mask, DType::boolean), shape);
  Expr source = expand(self, shape);
  if (all.rank() == 0) source = reshape(source, {1});
  return e.op("Compress", {source, reshape(all, {all.shape().product()})});
}

Expr masked_scatter(Emit& e, Expr self, Expr mask, Expr source) {
  const Shape shape = broadcast_shape(e, self.shape(), mask.shape());
  if (shape.empty()) throw Unsupported("a tensor without dimensions is not supported");
  const Expr places = e.op("NonZero", {expand(cast(mask, DType::boolean), shape)});
  const Dim found = places.dim(1);
  const Expr updates = slice(reshape(cast(source, self.dtype()), {source.shape().product()}), 0, 0, found);
  return e.op("ScatterND", {expand(self, shape), transpose(places, {1, 0}), updates});
}

constexpr Declaration kMasking[] = {
    op<masked_fill>("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
                    {.doc = "A number where the mask is true.",
                     .complex = OnComplex::by_parts,
                     .quantized = OnQuantized::requantized,
                     .sample = "mask=bool[batch,6,width], self=f32[batch,6,width]"}),
    op<masked_fill_tensor>("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                           {.doc = "A number where the mask is true.",
                            .complex = OnComplex::by_parts,
                            .sample = "self=f32[batch,6,width], value=f32[], mask=bool[batch,6,width]"}),
    op<masked_select>("aten::masked_select(Tensor self, Tensor mask) -> Tensor",
                      {.doc = "The elements where the mask is true, one after the other.",
                       .complex = OnComplex::by_parts,
                       .quantized = OnQuantized::integers}),
    op<masked_scatter>("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                       {.doc = "Another tensor's elements, one after the other, where the mask is true.",
                        .complex = OnComplex::by_parts}),
};

}  // namespace

std::span<const Declaration> masking_ops() { return kMasking; }

}  // namespace cameo::aten
