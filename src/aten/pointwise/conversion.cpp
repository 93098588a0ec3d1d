// Copies, the tensor itself, and other dtypes.
#include <fmt/format.h>

#include "aten/complex.h"
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
template <DType dtype>
Expr cast_copy(Emit&, Expr self, bool) {
  return cast(self, dtype);
}
Expr to_copy(Emit&, Expr self, std::optional<DType> dtype, Ignored, Ignored, Ignored, bool, Ignored) {
  return dtype ? Expr(cast(self, *dtype)) : self;
}
Expr convert_element_type(Emit&, Expr a, DType dtype) { return cast(a, dtype); }
Expr device_put(Emit&, Expr a, Ignored, bool) { return a; }
Expr detach(Emit& e, Expr self) { return e.stop_gradient(self); }
Expr with_strides(Emit&, Expr a, Ignored) { return a; }

// The same bytes as numbers of another dtype.
Expr view_dtype(Emit& e, Expr self, DType dtype) {
  if (self.dtype() == dtype) return self;
  if (size_of(self.dtype()) != size_of(dtype))
    throw Unsupported(fmt::format("the bytes of {} cannot be read as {}: the sizes of the elements differ",
                                  name(self.dtype()), name(dtype)));
  if (is_integral(self.dtype()) && is_integral(dtype)) return cast(self, dtype);
  return e.op("BitCast", {self}, {{"to", std::int64_t{onnx::to_onnx(dtype)}}});
}

Tensor to_complex_other(Emit& e, Tensor self, Tensor other, bool, bool, Ignored) {
  return self.dtype() == other.dtype() ? self : converted(e, self, other.dtype());
}
Tensor type_as_complex(Emit& e, Tensor self, Tensor other) {
  return to_complex_other(e, self, other, false, false, {});
}
template <DType dtype>
Tensor real_cast(Emit& e, Tensor self) {
  return converted(e, self, dtype);
}
Tensor chalf(Emit& e, Tensor self, Ignored) { return converted(e, self, DType::c32); }
Tensor copy_complex(Emit& e, Tensor self, Tensor src, bool) {
  return expanded(e, converted(e, src, self.dtype()), self.shape());
}

Expr copy(Emit&, Expr self, Expr src, bool) { return expand(cast(src, self.dtype()), self.shape()); }

constexpr Declaration kConversion[] = {
    op<detach>("aten::detach(Tensor(a) self) -> Tensor(a)",
               {.doc = "The tensor itself, through which no gradient passes.",
                .complex = OnComplex::by_parts,
                .quantized = OnQuantized::integers,
                .aliases = {"aten::data", "prim::data"},
                .copies = {"aten::detach_copy"},
                .view = View::reshape}),
    op<same>("aten::alias(Tensor(a) self) -> Tensor(a)",
             {.doc = "The tensor itself.",
              .complex = OnComplex::by_parts,
              .quantized = OnQuantized::integers,
              .aliases = {"aten::lift_fresh"},
              .copies = {"aten::alias_copy", "aten::lift", "aten::lift_fresh_copy", "aten::_lazy_clone"},
              .view = View::reshape}),
    op<contiguous>(
        "aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
        {.doc = "The tensor itself.",
         .complex = OnComplex::by_parts,
         .quantized = OnQuantized::integers,
         .view = View::contiguous}),
    op<clone>("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
              {.doc = "A copy.",
               .complex = OnComplex::by_parts,
               .quantized = OnQuantized::integers,
               .aliases = {"prims::clone"}}),
    op<to_copy>("aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                "device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? "
                "memory_format=None) -> Tensor",
                {.doc = "A copy, converted to a dtype.",
                 .complex = OnComplex::by_parts,
                 .quantized = OnQuantized::integers,
                 .sample = "dtype=7",
                 .result = Result::unknown}),
    op<convert_element_type>(
        "prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor",
        {.doc = "Converts to a dtype.", .complex = OnComplex::by_parts, .result = Result::unknown}),
    op<device_put>("prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor",
                   {.doc = "A copy; devices mean nothing to ONNX.", .complex = OnComplex::by_parts}),
    op<with_strides>("prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor",
                     {.doc = "A copy; strides mean nothing to ONNX.",
                      .complex = OnComplex::by_parts,
                      .sample = "a=f32[4,6], stride=[1, 4]"}),
    op<with_strides>("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)",
                     {.doc = "The tensor itself.",
                      .complex = OnComplex::by_parts,
                      .copies = {"aten::_pin_memory"},
                      .view = View::unchanged}),
    op<view_dtype>("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
                   {.doc = "The same bytes as numbers of another dtype.",
                    .copies = {"aten::view_copy.dtype"},
                    .view = View::bytes,
                    .result = Result::unknown}),
    op<view_dtype>("prims::view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)",
                   {.doc = "The same bytes as numbers of another dtype.",
                    .view = View::bytes,
                    .result = Result::unknown}),
    op<cast_copy<DType::u8>>("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor",
                             {.doc = "Converts to u8."}),
    op<cast_copy<DType::i8>>("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor",
                             {.doc = "Converts to i8."}),
    op<cast_copy<DType::i16>>("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to i16."}),
    op<cast_copy<DType::i32>>("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to i32."}),
    op<cast_copy<DType::i64>>("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to i64."}),
    op<cast_copy<DType::f16>>("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to f16."}),
    op<cast_copy<DType::f32>>("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to f32."}),
    op<cast_copy<DType::f64>>("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor",
                              {.doc = "Converts to f64."}),
    op<to_dtype>("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
                 "MemoryFormat? memory_format=None) -> Tensor(a)",
                 {.doc = "Converts to a dtype.",
                  .complex = OnComplex::by_parts,
                  .quantized = OnQuantized::integers,
                  .view = View::unchanged,
                  .result = Result::unknown}),
    op<to_device>("aten::to.device(Tensor(a) self, Device device, ScalarType? dtype=None, bool "
                  "non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
                  {.doc = "Converts to a dtype; devices mean nothing to ONNX.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .view = View::unchanged,
                   .result = Result::unknown}),
    op<as_tensor>(
        "aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(a)",
        {.doc = "Converts to a dtype.", .complex = OnComplex::by_parts, .view = View::unchanged}),
    op<to_layout>("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
                  "Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, "
                  "MemoryFormat? memory_format=None) -> Tensor(a)",
                  {.doc = "Converts to a dtype; devices mean nothing to ONNX.",
                   .complex = OnComplex::by_parts,
                   .quantized = OnQuantized::integers,
                   .view = View::unchanged,
                   .result = Result::unknown}),
    op<to_other, to_complex_other>(
        "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
        "MemoryFormat? memory_format=None) -> Tensor(a)",
        {.doc = "Converts to another tensor's dtype.",
         .quantized = OnQuantized::integers,
         .sample = "other=f64[batch]",
         .view = View::unchanged,
         .result = Result::unknown}),
    op<to_nothing>(
        "aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(a)",
        {.doc = "The tensor itself.",
         .complex = OnComplex::by_parts,
         .view = View::unchanged,
         .result = Result::unknown}),
    op<type_as, type_as_complex>("aten::type_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                                 {.doc = "Converts to another tensor's dtype.",
                                  .sample = "other=f64[batch]",
                                  .view = View::unchanged,
                                  .result = Result::unknown}),
    op<cast_to<DType::f32>, real_cast<DType::f32>>(
        "aten::float(Tensor(a) self) -> Tensor(a)",
        {.doc = "Converts to f32.", .sample = "self=f64[batch,6]", .view = View::unchanged}),
    op<cast_to<DType::f64>, real_cast<DType::f64>>("aten::double(Tensor(a) self) -> Tensor(a)",
                                                   {.doc = "Converts to f64.", .view = View::unchanged}),
    op<cast_to<DType::f16>, real_cast<DType::f16>>("aten::half(Tensor(a) self) -> Tensor(a)",
                                                   {.doc = "Converts to f16.", .view = View::unchanged}),
    op<chalf, chalf>("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
                     {.doc = "Converts to complex numbers of half precision.", .result = Result::complex}),
    op<copy, copy_complex>("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
                           {.doc = "Another tensor's elements, in this one's shape and dtype."}),
};

}  // namespace

std::span<const Declaration> conversion_ops() { return kConversion; }

}  // namespace cameo::aten
