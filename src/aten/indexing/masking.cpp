// Elements chosen by a mask.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor fill(Emit& e, const Tensor& self, const Tensor& mask, onnx::Value* value) {
  return compute(e, "Where", {e.cast(mask, DType::boolean), value, self});
}

Tensor masked_fill(Emit& e, Tensor self, Tensor mask, Scalar value) {
  return fill(e, self, mask, scalar_like(e, self, value));
}
Tensor masked_fill_tensor(Emit& e, Tensor self, Tensor mask, Tensor value) {
  if (value.rank() != 0) throw ProgramError("the value must have no dimensions");
  return fill(e, self, mask, e.cast(value, self.dtype()));
}

Tensor masked_select(Emit& e, Tensor self, Tensor mask) {
  const Shape shape = broadcast_shape(e, self.shape(), mask.shape());
  const Tensor all = e.expand(e.cast(mask, DType::boolean), shape);
  onnx::Value* source = e.expand(self, shape);
  if (all.rank() == 0) source = e.reshape(source, {1});
  return e.op("Compress", {source, e.reshape(all, {numel(e, all)})});
}

Tensor masked_scatter(Emit& e, Tensor self, Tensor mask, Tensor source) {
  const Shape shape = broadcast_shape(e, self.shape(), mask.shape());
  if (shape.empty()) throw Unsupported("a tensor without dimensions is not supported");
  onnx::Value* places = e.op("NonZero", {e.expand(e.cast(mask, DType::boolean), shape)});
  const Dim found = Tensor(places).dim(1);
  onnx::Value* updates = e.slice(e.reshape(e.cast(source, self.dtype()), {numel(e, source)}), 0, 0, found);
  return e.op("ScatterND", {e.expand(self, shape), e.transpose(places, {1, 0}), updates});
}

constexpr Declaration kMasking[] = {
    op<masked_fill>("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
                    {.doc = "A number where the mask is true.",
                     .sample = "mask=bool[batch,6,width], self=f32[batch,6,width]"}),
    op<masked_fill_tensor>("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                           {.doc = "A number where the mask is true.",
                            .sample = "self=f32[batch,6,width], value=f32[], mask=bool[batch,6,width]"}),
    op<masked_select>("aten::masked_select(Tensor self, Tensor mask) -> Tensor",
                      {.doc = "The elements where the mask is true, one after the other."}),
    op<masked_scatter>("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
                       {.doc = "Another tensor's elements, one after the other, where the mask is true."}),
};

}  // namespace

std::span<const Declaration> masking_ops() { return kMasking; }

}  // namespace cameo::aten
