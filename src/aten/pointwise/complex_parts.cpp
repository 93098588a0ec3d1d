// Complex numbers: made from parts, and taken apart. Real numbers are complex numbers without an imaginary part.
#include <limits>
#include <numbers>

#include "aten/complex.h"
#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

// Two parts of one dtype, as PyTorch demands.
void check_parts(const Expr& a, const Expr& b) {
  if (!is_floating(a.dtype()) || a.dtype() != b.dtype())
    throw ProgramError("the two tensors must have the same floating-point type");
}

Tensor of_parts(Emit&, Expr real, Expr imag) {
  check_parts(real, imag);
  return pairs({real, imag});
}

Tensor polar(Emit&, Expr abs, Expr angle) {
  check_parts(abs, angle);
  const Expr real = abs * cos(angle);
  return pairs({real, abs * sin(angle)});
}

Tensor view_as_complex(Emit& e, Expr self) {
  if (!is_floating(self.dtype())) throw ProgramError("the tensor must have a floating-point type");
  if (self.rank() == 0 || e.sym().equal(self.dim(-1), 2) == sym::Truth::no)
    throw ProgramError("the last dimension must have the size 2");
  Shape shape = self.shape();
  shape.back() = 2;
  return Tensor::pairs(reshape(self, shape));
}

Tensor view_as_real(Emit&, Tensor self) {
  if (!self.complex) throw ProgramError("the tensor must be complex");
  return self.value;
}

Tensor real(Emit& e, Tensor self) { return self.complex ? Tensor(parts_of(e, self).real) : self; }

Tensor imag(Emit& e, Tensor self) {
  if (!self.complex) throw ProgramError("the tensor must be complex");
  return parts_of(e, self).imaginary;
}

Tensor conj(Emit& e, Tensor self) { return self.complex ? pairs(conjugate(parts_of(e, self))) : self; }
Tensor itself(Emit&, Tensor self) { return self; }

Expr isreal(Emit& e, Tensor self) {
  const Complex x = parts_of(e, self);
  if (!x.is_real()) return equal(x.imaginary, 0);
  return filled_like(e.scalar(DType::boolean, std::int64_t{1}), x.real);
}

Expr angle_of_real(Emit&, Expr self) {
  const Expr x = floats(self);
  const Expr turned = where(x < 0, x.number(std::numbers::pi), 0);
  if (is_whole(self)) return turned;
  const Expr nan = x.number(std::numeric_limits<double>::quiet_NaN());
  return where(is_nan(x), nan, turned);
}
Expr angle_of_complex(Emit& e, Tensor self) { return angle(parts_of(e, self)); }

constexpr Declaration kComplexParts[] = {
    op<of_parts>("aten::complex(Tensor real, Tensor imag) -> Tensor",
                 {.doc = "Complex numbers, by their real and imaginary parts.", .result = Result::complex}),
    op<polar>("aten::polar(Tensor abs, Tensor angle) -> Tensor",
              {.doc = "Complex numbers, by their magnitudes and angles.", .result = Result::complex}),
    op<view_as_complex>("aten::view_as_complex(Tensor(a) self) -> Tensor(a)",
                        {.doc = "Pairs of real numbers as complex ones.",
                         .copies = {"aten::view_as_complex_copy"},
                         .sample = "self=f32[batch,2]",
                         .view = View::as_complex,
                         .result = Result::complex}),
    op<view_as_real, view_as_real>("aten::view_as_real(Tensor(a) self) -> Tensor(a)",
                                   {.doc = "Complex numbers as pairs of real ones.",
                                    .copies = {"aten::view_as_real_copy"},
                                    .sample = "self=c64[batch,6]",
                                    .view = View::as_real,
                                    .result = Result::unknown}),
    op<real, real>("aten::real(Tensor(a) self) -> Tensor(a)", {.doc = "The real parts.",
                                                               .aliases = {"prims::real"},
                                                               .view = View::real_part,
                                                               .result = Result::unknown}),
    op<imag, imag>("aten::imag(Tensor(a) self) -> Tensor(a)",
                   {.doc = "The imaginary parts of complex numbers.",
                    .aliases = {"prims::imag"},
                    .sample = "self=c64[batch,6]",
                    .view = View::imaginary_part,
                    .result = Result::unknown}),
    op<conj, conj>("aten::conj(Tensor(a) self) -> Tensor(a)", {.doc = "The conjugates.",
                                                               .aliases = {"aten::_conj"},
                                                               .copies = {"aten::_conj_copy"},
                                                               .view = View::conjugate}),
    op<conj, conj>("aten::conj_physical(Tensor self) -> Tensor",
                   {.doc = "The conjugates.", .aliases = {"aten::_conj_physical", "prims::conj_physical"}}),
    op<itself, itself>("aten::resolve_conj(Tensor(a) self) -> Tensor(a)", {.doc = "The tensor itself.",
                                                                           .quantized = OnQuantized::integers,
                                                                           .aliases = {"aten::resolve_neg"},
                                                                           .view = View::unchanged}),
    op<isreal, isreal>("aten::isreal(Tensor self) -> Tensor",
                       {.doc = "Whether the imaginary part is 0.", .result = Result::boolean}),
    op<angle_of_real, angle_of_complex>(
        "aten::angle(Tensor self) -> Tensor",
        {.doc = "The angle; of real numbers, π or 0.", .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> complex_parts_ops() { return kComplexParts; }

}  // namespace cameo::aten
