// Fourier transforms whose results are real: spectra over time as pairs of numbers, and shifts of spectra.
#include <cmath>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/signal/spectrum.h"

namespace cameo::aten {
namespace {

struct Frames {
  std::int64_t length;
  std::int64_t step;
  Expr window;
};

// The window in the middle of a frame, zeros around it.
Frames frames_of(const Expr& x, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                 std::optional<std::int64_t> win_length, const std::optional<Expr>& given) {
  const std::int64_t step = hop_length.value_or(n_fft / 4), inner = win_length.value_or(n_fft);
  if (n_fft <= 0 || step <= 0) throw ProgramError("the length and the step of frames must be positive");
  if (inner <= 0 || inner > n_fft) throw ProgramError("the window is longer than the frames");
  if (given && is_complex(given->dtype())) throw Unsupported("complex numbers are not supported");
  const Expr window = given ? cast(*given, x.dtype()) : filled(x.number(1), {inner});
  if (inner == n_fft) return {n_fft, step, window};
  const std::int64_t before = (n_fft - inner) / 2;
  const auto zeros = [&](std::int64_t count) { return filled(x.number(0), {count}); };
  return {n_fft, step, concat({zeros(before), window, zeros(n_fft - inner - before)}, 0)};
}

Expr spectra(Emit& e, const Expr& x, const Frames& frames, bool normalized, bool onesided) {
  const bool single = x.rank() == 1;
  const Expr signal = unsqueeze(x, single ? Axes{0, 2} : Axes{2});
  Expr pairs = e.op("STFT", {signal, e.dim(frames.step), frames.window, e.dim(frames.length)},
                    {{"onesided", std::int64_t{onesided}}});
  if (normalized) pairs = pairs * (1 / std::sqrt(static_cast<double>(frames.length)));
  pairs = transpose(pairs, {0, 2, 1, 3});
  return single ? squeeze(pairs, {0}) : pairs;
}

Expr stft(Emit& e, Expr self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
          std::optional<std::int64_t> win_length, std::optional<Expr> window, bool normalized,
          std::optional<bool> onesided, std::optional<bool> return_complex) {
  if (is_complex(self.dtype()) || return_complex.value_or(false))
    throw Unsupported(
        "a spectrum of complex numbers is not supported",
        "call stft with return_complex=False: the last dimension holds real and imaginary parts");
  if (!is_floating(self.dtype())) throw ProgramError("the input must have a floating-point type");
  if (self.rank() != 1 && self.rank() != 2)
    throw ProgramError("the input must be a signal or a batch of signals");
  const Frames frames = frames_of(self, n_fft, hop_length, win_length, window);
  return spectra(e, self, frames, normalized, onesided.value_or(true));
}

Expr centered_stft(Emit& e, Expr self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                   std::optional<std::int64_t> win_length, std::optional<Expr> window, bool center,
                   std::string pad_mode, bool normalized, std::optional<bool> onesided,
                   std::optional<bool> return_complex) {
  if (center) {
    const std::string mode = pad_mode == "replicate" ? "edge" : pad_mode;
    if (mode != "reflect" && mode != "edge" && mode != "constant")
      throw Unsupported("stft with the padding '" + pad_mode + "'");
    const std::int64_t side = n_fft / 2;
    const Expr sides = self.rank() == 1 ? e.ints({side, side}) : e.ints({0, side, 0, side});
    self = e.op("Pad", {self, sides}, {{"mode", mode}});
  }
  return stft(e, self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex);
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

template <bool kForward>
Expr of_line(Emit& e, Expr self, std::optional<Dim> n, std::int64_t dim, std::optional<std::string> norm) {
  return signal_of(e, self, {dim}, n ? std::optional(Shape{*n}) : std::nullopt, norm, kForward);
}

template <bool kForward>
Expr of_plane(Emit& e, Expr self, std::optional<Shape> s, Axes dim, std::optional<std::string> norm) {
  return signal_of(e, self, dim, s, norm, kForward);
}

template <bool kForward>
Expr of_space(Emit& e, Expr self, std::optional<Shape> s, std::optional<Axes> dim,
              std::optional<std::string> norm) {
  Axes axes = dim.value_or(all_axes(self));
  if (s && !dim && s->size() <= axes.size()) axes.erase(axes.begin(), axes.end() - std::ssize(*s));
  return signal_of(e, self, axes, s, norm, kForward);
}

constexpr Declaration kFourier[] = {
    op<stft>("aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
             "window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor",
             {.doc = "The spectra of overlapping frames, as pairs of real and imaginary parts.",
              .sample = "self=f32[batch,400], n_fft=16",
              .result = Result::complex}),
    op<centered_stft>("aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
                      "Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool "
                      "normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor",
                      {.doc = "The spectra of overlapping frames, as pairs of real and imaginary parts.",
                       .sample = "self=f32[batch,400], n_fft=16",
                       .result = Result::complex}),
    op<shift<false>>("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
                     {.doc = "Puts the second half of each dimension before the first."}),
    op<shift<true>>("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
                    {.doc = "Takes back what fftshift does."}),
    op<of_line<false>>("aten::fft_irfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
                       {.doc = "The real signal of half a spectrum, which must be real itself."}),
    op<of_plane<false>>(
        "aten::fft_irfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The real signal of half a spectrum, which must be real itself."}),
    op<of_space<false>>(
        "aten::fft_irfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The real signal of half a spectrum, which must be real itself."}),
    op<of_line<true>>("aten::fft_hfft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
                      {.doc = "The real spectrum of half a signal, which must be real itself."}),
    op<of_plane<true>>(
        "aten::fft_hfft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
        {.doc = "The real spectrum of half a signal, which must be real itself."}),
    op<of_space<true>>(
        "aten::fft_hfftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
        {.doc = "The real spectrum of half a signal, which must be real itself."}),
};

}  // namespace

std::span<const Declaration> fourier_ops() { return kFourier; }

}  // namespace cameo::aten
