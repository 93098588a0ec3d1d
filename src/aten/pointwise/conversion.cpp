// Copies, the tensor itself, and other dtypes.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor same(Emit&, Tensor self) { return self; }
Tensor contiguous(Emit&, Tensor self, Ignored) { return self; }
Tensor clone(Emit&, Tensor self, Ignored) { return self; }
Tensor to_dtype(Emit& e, Tensor self, DType dtype, bool, bool, Ignored) { return e.cast(self, dtype); }
Tensor to_device(Emit& e, Tensor self, Ignored, std::optional<DType> dtype, bool, bool, Ignored) {
  return dtype ? Tensor(e.cast(self, *dtype)) : self;
}
Tensor as_tensor(Emit& e, Tensor data, std::optional<DType> dtype, Ignored) {
  return dtype ? Tensor(e.cast(data, *dtype)) : data;
}
Tensor to_layout(Emit& e, Tensor self, std::optional<DType> dtype, Ignored, Ignored, Ignored, bool, bool,
                 Ignored) {
  return dtype ? Tensor(e.cast(self, *dtype)) : self;
}
Tensor to_other(Emit& e, Tensor self, Tensor other, bool, bool, Ignored) {
  return e.cast(self, other.dtype());
}
Tensor to_nothing(Emit&, Tensor self, bool, bool) { return self; }
Tensor type_as(Emit& e, Tensor self, Tensor other) { return e.cast(self, other.dtype()); }
template <DType dtype>
Tensor cast_to(Emit& e, Tensor self) {
  return e.cast(self, dtype);
}
Tensor copy(Emit& e, Tensor self, Tensor src, bool) {
  return e.expand(e.cast(src, self.dtype()), self.shape());
}

constexpr Declaration kConversion[] = {
    op<same>("aten::detach(Tensor(a) self) -> Tensor(a)",
             {.doc = "The tensor itself.",
              .aliases = {"aten::alias", "prim::data", "aten::lift_fresh"},
              .view = View::reshape}),
    op<contiguous>(
        "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
        {.doc = "The tensor itself.", .view = View::unchanged}),
    op<clone>("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", {.doc = "A copy."}),
    op<to_dtype>("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
                 "MemoryFormat? memory_format=None) -> Tensor(a)",
                 {.doc = "Converts to a dtype.", .view = View::unchanged, .result = Result::unknown}),
    op<to_device>("aten::to.device(Tensor(a) self, Device device, ScalarType? dtype=None, bool "
                  "non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
                  {.doc = "Converts to a dtype; devices mean nothing to ONNX.",
                   .view = View::unchanged,
                   .result = Result::unknown}),
    op<as_tensor>(
        "aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(a)",
        {.doc = "Converts to a dtype.", .view = View::unchanged}),
    op<to_layout>("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
                  "Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, "
                  "MemoryFormat? memory_format=None) -> Tensor(a)",
                  {.doc = "Converts to a dtype; devices mean nothing to ONNX.",
                   .view = View::unchanged,
                   .result = Result::unknown}),
    op<to_other>("aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
                 "MemoryFormat? memory_format=None) -> Tensor(a)",
                 {.doc = "Converts to another tensor's dtype.",
                  .sample = "other=f64[batch]",
                  .view = View::unchanged,
                  .result = Result::unknown}),
    op<to_nothing>(
        "aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(a)",
        {.doc = "The tensor itself.", .view = View::unchanged, .result = Result::unknown}),
    op<type_as>("aten::type_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                {.doc = "Converts to another tensor's dtype.",
                 .sample = "other=f64[batch]",
                 .view = View::unchanged,
                 .result = Result::unknown}),
    op<cast_to<DType::f32>>(
        "aten::float(Tensor(a) self) -> Tensor(a)",
        {.doc = "Converts to f32.", .sample = "self=f64[batch,6]", .view = View::unchanged}),
    op<cast_to<DType::f64>>("aten::double(Tensor(a) self) -> Tensor(a)",
                            {.doc = "Converts to f64.", .view = View::unchanged}),
    op<cast_to<DType::f16>>("aten::half(Tensor(a) self) -> Tensor(a)",
                            {.doc = "Converts to f16.", .view = View::unchanged}),
    op<copy>("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
             {.doc = "Another tensor's elements, in this one's shape and dtype."}),
};

}  // namespace

std::span<const Declaration> conversion_ops() { return kConversion; }

}  // namespace cameo::aten
