// Fourier transforms, and shifts of spectra.
#include <fmt/core.h>

#include "aten/complex.h"
#include "aten/families.h"
#include "aten/signal/spectrum.h"

namespace cameo::aten {
namespace {

enum class Kind { complex, to_half, from_half };

// Transforms from signals to spectra (`kForward`), and back.
template <Kind kKind, bool kForward>
Tensor transform(Emit& e, const Tensor& self, const Axes& axes, const std::optional<Shape>& sizes,
                 const std::optional<std::string>& norm) {
  const Extent extent = extent_of(self, axes, sizes, kKind == Kind::from_half);
  const Norm by = norm_of(norm, kForward);
  if constexpr (kKind == Kind::complex) return complex_to_complex(e, self, extent, by, kForward);
  if constexpr (kKind == Kind::from_half) return complex_to_real(e, self, extent, by, kForward);
  if (self.complex) throw ProgramError("the input must be real");
  return real_to_complex(e, Expr(e, self), extent, by, kForward);
}

template <Kind kKind, bool kForward>
Tensor of_line(Emit& e, Tensor self, std::optional<Dim> n, std::int64_t dim,
               std::optional<std::string> norm) {
  return transform<kKind, kForward>(e, self, {dim}, n ? std::optional(Shape{*n}) : std::nullopt, norm);
}

template <Kind kKind, bool kForward>
Tensor of_plane(Emit& e, Tensor self, std::optional<Shape> s, Axes dim, std::optional<std::string> norm) {
  return transform<kKind, kForward>(e, self, dim, s, norm);
}

template <Kind kKind, bool kForward>
Tensor of_space(Emit& e, Tensor self, std::optional<Shape> s, std::optional<Axes> dim,
                std::optional<std::string> norm) {
  Axes axes = dim.value_or(consecutive(0, self.rank()));
  if (s && !dim && s->size() <= axes.size()) axes.erase(axes.begin(), axes.end() - std::ssize(*s));
  return transform<kKind, kForward>(e, self, axes, s, norm);
}

// As PyTorch numbers them.
Norm numbered(std::int64_t normalization) {
  if (normalization < 0 || normalization > 2)
    throw ProgramError(fmt::format("the normalization {} is unknown", normalization));
  constexpr Norm kNorms[] = {Norm::none, Norm::root, Norm::count};
  return kNorms[normalization];
}

Tensor r2c(Emit& e, Expr self, Axes dim, std::int64_t normalization, bool onesided) {
  return real_to_complex(e, self, extent_of(self, dim, std::nullopt, false), numbered(normalization), true,
                         onesided);
}
Tensor c2c(Emit& e, Tensor self, Axes dim, std::int64_t normalization, bool forward) {
  return complex_to_complex(e, self, extent_of(self, dim, std::nullopt, false), numbered(normalization),
                            forward);
}
Expr c2r(Emit& e, Tensor self, Axes dim, std::int64_t normalization, Dim last_dim_size) {
  Extent extent = extent_of(self, dim, std::nullopt, true);
  extent.sizes.back() = last_dim_size;
  return complex_to_real(e, self, extent, numbered(normalization), false);
}

// The second part before the first: by half, rounded down or up.
template <bool kInverse>
Expr shift(Emit& e, Expr self, std::optional<Axes> dim) {
  Expr x = self;
  for (std::int64_t axis : dim ? wrap_axes(self, *dim) : all_axes(self)) {
    const Dim size = x.dim(axis), half = e.simplify(sym::floordiv(size + (kInverse ? 0 : 1), 2));
    x = concat({slice(x, axis, half, size), slice(x, axis, 0, half)}, axis);
  }
  return x;
}

constexpr Declaration kFourier[] = {
    op<shift<false>>(
        "aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
        {.doc = "Puts the second half of each dimension before the first.", .complex = OnComplex::by_parts}),
    op<shift<true>>("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
                    {.doc = "Takes back what fftshift does.", .complex = OnComplex::by_parts}),
    op<of_line<Kind::complex, true>, of_line<Kind::complex, true>>(
        "aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The spectrum of a signal.", .result = Result::complex}),
    op<of_plane<Kind::complex, true>, of_plane<Kind::complex, true>>(
        "aten::fft_fft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The spectrum of a signal.", .result = Result::complex}),
    op<of_space<Kind::complex, true>, of_space<Kind::complex, true>>(
        "aten::fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The spectrum of a signal.", .result = Result::complex}),
    op<of_line<Kind::complex, false>, of_line<Kind::complex, false>>(
        "aten::fft_ifft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The signal of a spectrum.", .result = Result::complex}),
    op<of_plane<Kind::complex, false>, of_plane<Kind::complex, false>>(
        "aten::fft_ifft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The signal of a spectrum.", .result = Result::complex}),
    op<of_space<Kind::complex, false>, of_space<Kind::complex, false>>(
        "aten::fft_ifftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The signal of a spectrum.", .result = Result::complex}),
    op<of_line<Kind::to_half, true>, of_line<Kind::to_half, true>>(
        "aten::fft_rfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The first half of the spectrum of a real signal.", .result = Result::complex}),
    op<of_plane<Kind::to_half, true>, of_plane<Kind::to_half, true>>(
        "aten::fft_rfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The first half of the spectrum of a real signal.", .result = Result::complex}),
    op<of_space<Kind::to_half, true>, of_space<Kind::to_half, true>>(
        "aten::fft_rfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The first half of the spectrum of a real signal.", .result = Result::complex}),
    op<of_line<Kind::from_half, false>, of_line<Kind::from_half, false>>(
        "aten::fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The real signal of half a spectrum.", .result = Result::unknown}),
    op<of_plane<Kind::from_half, false>, of_plane<Kind::from_half, false>>(
        "aten::fft_irfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The real signal of half a spectrum.", .result = Result::unknown}),
    op<of_space<Kind::from_half, false>, of_space<Kind::from_half, false>>(
        "aten::fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The real signal of half a spectrum.", .result = Result::unknown}),
    op<of_line<Kind::from_half, true>, of_line<Kind::from_half, true>>(
        "aten::fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The real spectrum of half a signal.", .result = Result::unknown}),
    op<of_plane<Kind::from_half, true>, of_plane<Kind::from_half, true>>(
        "aten::fft_hfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The real spectrum of half a signal.", .result = Result::unknown}),
    op<of_space<Kind::from_half, true>, of_space<Kind::from_half, true>>(
        "aten::fft_hfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The real spectrum of half a signal.", .result = Result::unknown}),
    op<of_line<Kind::to_half, false>, of_line<Kind::to_half, false>>(
        "aten::fft_ihfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
        {.doc = "The first half of the signal of a real spectrum.", .result = Result::complex}),
    op<of_plane<Kind::to_half, false>, of_plane<Kind::to_half, false>>(
        "aten::fft_ihfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The first half of the signal of a real spectrum.", .result = Result::complex}),
    op<of_space<Kind::to_half, false>, of_space<Kind::to_half, false>>(
        "aten::fft_ihfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The first half of the signal of a real spectrum.", .result = Result::complex}),
    op<r2c>("aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
            {.doc = "The spectrum of a real signal.",
             .sample = "self=f32[batch,6], dim=[1], normalization=0, onesided=True",
             .result = Result::complex}),
    op<c2c, c2c>("aten::_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor",
                 {.doc = "The spectrum of a signal, or the signal of a spectrum.",
                  .sample = "self=c64[batch,6], dim=[1], normalization=0, forward=True",
                  .result = Result::complex}),
    op<c2r, c2r>("aten::_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor",
                 {.doc = "The real signal of half a spectrum.",
                  .sample = "self=c64[batch,6], dim=[1], normalization=2, last_dim_size=10",
                  .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> fourier_ops() { return kFourier; }

}  // namespace cameo::aten
