// Copies, the tensor itself, and other dtypes.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr same(Emit&, Expr self) { return self; }
Expr contiguous(Emit&, Expr self, Ignored) { return self; }
Expr clone(Emit&, Expr self, Ignored) { return self; }
Expr to_dtype(Emit&, Expr self, DType dtype, bool, bool, Ignored) { return cast(self, dtype); }
Expr to_device(Emit&, Expr self, Ignored, std::optional<DType> dtype, bool, bool, Ignored) {
  return dtype ? Expr(cast(self, *dtype)) : self;
}
Expr as_tensor(Emit&, Expr data, std::optional<DType> dtype, Ignored) {
  return dtype ? Expr(cast(data, *dtype)) : data;
}
Expr to_layout(Emit&, Expr self, std::optional<DType> dtype, Ignored, Ignored, Ignored, bool, bool, Ignored) {
  return dtype ? Expr(cast(self, *dtype)) : self;
}
Expr to_other(Emit&, Expr self, Expr other, bool, bool, Ignored) { return cast(self, other.dtype()); }
Expr to_nothing(Emit&, Expr self, bool, bool) { return self; }
Expr type_as(Emit&, Expr self, Expr other) { return cast(self, other.dtype()); }
template <DType dtype>
Expr cast_to(Emit&, Expr self) {
  return cast(self, dtype);
}
Expr copy(Emit&, Expr self, Expr src, bool) { return expand(cast(src, self.dtype()), self.shape()); }

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
