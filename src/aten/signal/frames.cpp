// Spectra of overlapping frames, and signals of such spectra.
#include <cmath>
#include <functional>

#include "aten/complex.h"
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
Frames frames_of(Emit& e, DType dtype, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                 std::optional<std::int64_t> win_length, const std::optional<Expr>& given) {
  const std::int64_t step = hop_length.value_or(n_fft / 4), inner = win_length.value_or(n_fft);
  if (n_fft <= 0 || step <= 0) throw ProgramError("the length and the step of frames must be positive");
  if (inner <= 0 || inner > n_fft) throw ProgramError("the window is longer than the frames");
  const Expr one = e.scalar(dtype, 1.0);
  const Expr window = given ? cast(*given, dtype) : filled(one, {inner});
  if (inner == n_fft) return {n_fft, step, window};
  const std::int64_t before = (n_fft - inner) / 2;
  const auto zeros = [&](std::int64_t count) { return filled(one.number(0), {count}); };
  return {n_fft, step, concat({zeros(before), window, zeros(n_fft - inner - before)}, 0)};
}

// Pairs of parts: [batch, frequency, frame, 2].
Expr spectra(Emit& e, const Expr& signals, const Frames& frames, bool onesided) {
  const DType inside = transform_dtype(signals.dtype(), frames.length);
  const Expr x = cast(unsqueeze(signals, {2}), inside);
  const Expr pairs = e.op("STFT", {x, e.dim(frames.step), cast(frames.window, inside), e.dim(frames.length)},
                          {{"onesided", std::int64_t{onesided}}});
  return transpose(cast(pairs, signals.dtype()), {0, 2, 1, 3});
}

// By linearity, of the real and the imaginary parts alone.
Tensor spectra_of(Emit& e, const Complex& x, const Frames& frames, bool onesided) {
  const Tensor real = Tensor::pairs(spectra(e, x.real, frames, onesided));
  if (x.is_real()) return real;
  const Tensor imaginary = Tensor::pairs(spectra(e, x.imaginary, frames, onesided));
  const Complex sum = parts_of(e, real) + times_i(parts_of(e, imaginary));
  return pairs(sum);
}

Complex changed(const Complex& x, const std::function<Expr(const Expr&)>& change) {
  const Expr real = change(x.real);
  return {real, x.is_real() ? Expr() : change(x.imaginary)};
}

Tensor stft(Emit& e, Tensor self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
            std::optional<std::int64_t> win_length, std::optional<Expr> window, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex) {
  if (!self.complex && !is_floating(self.dtype()))
    throw ProgramError("the input must have a floating-point type");
  if (self.rank() != 1 && self.rank() != 2)
    throw ProgramError("the input must be a signal or a batch of signals");
  if (self.complex && onesided.value_or(false))
    throw ProgramError("a complex signal has no onesided spectrum");
  const bool single = self.rank() == 1;
  const Complex signals =
      changed(parts_of(e, self), [&](const Expr& x) { return single ? unsqueeze(x, {0}) : x; });
  const Frames frames = frames_of(e, signals.dtype(), n_fft, hop_length, win_length, window);
  Expr pairs(e, spectra_of(e, signals, frames, onesided.value_or(!self.complex)).value);
  if (normalized) pairs = pairs * (1 / std::sqrt(static_cast<double>(n_fft)));
  if (single) pairs = squeeze(pairs, {0});
  return return_complex.value_or(self.complex) ? Tensor::pairs(pairs) : Tensor(pairs);
}

Tensor centered_stft(Emit& e, Tensor self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                     std::optional<std::int64_t> win_length, std::optional<Expr> window, bool center,
                     std::string pad_mode, bool normalized, std::optional<bool> onesided,
                     std::optional<bool> return_complex) {
  if (center) {
    const std::string mode = pad_mode == "replicate" ? "edge" : pad_mode;
    if (mode != "reflect" && mode != "edge" && mode != "constant")
      throw Unsupported("stft with the padding '" + pad_mode + "'");
    const std::int64_t side = n_fft / 2;
    const Expr sides = self.rank() == 1 ? e.ints({side, side}) : e.ints({0, side, 0, side});
    const Complex padded = changed(parts_of(e, self), [&](const Expr& x) {
      return Expr(e.op("Pad", {x, sides}, {{"mode", mode}}));
    });
    self = padded.is_real() ? Tensor(padded.real) : pairs(padded);
  }
  return stft(e, self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex);
}

// The sum of frames [batch, frame, sample], each `step` samples after the one before. A frame consists of
// blocks of `step` samples. A row of blocks that is one block longer than it is wide, read in rows of its
// width, puts each block beside those that it is added to.
Expr overlapped(Emit& e, const Expr& frames, std::int64_t length, std::int64_t step) {
  const std::int64_t blocks = (length + step - 1) / step;
  const Dim batch = frames.dim(0), count = frames.dim(1), width = e.simplify(count + (blocks - 1));
  const Expr whole = reshape(resized(frames, 2, blocks * step), {batch, count, blocks, step});
  const Expr rows = resized(transpose(whole, {0, 2, 1, 3}), 2, width + 1);
  const Expr flat = reshape(rows, {batch, blocks * (width + 1), step});
  const Expr shifted = reshape(slice(flat, 1, 0, blocks * width), {batch, blocks, width, step});
  const Expr sum = reshape(reduce_sum(shifted, {1}), {batch, width * step});
  return slice(sum, 1, 0, length + step * (count - 1));
}

struct Istft {
  Frames frames;
  bool center;
  std::optional<Dim> length;
};

// The signals of frames: what overlaps is added, and divided by the sum of the squares of the window there.
Expr signals_of(Emit& e, const Expr& frames, const Istft& how) {
  const auto& [length, step, window] = how.frames;
  const Expr summed = overlapped(e, frames * window, length, step);
  const Dim count = frames.dim(1), all = e.simplify(length + step * (count - 1));
  const Expr squares = reshape(window * window, {1, 1, length});
  const Expr weights = overlapped(e, expand(squares, {1, count, length}), length, step);
  const std::int64_t start = how.center ? length / 2 : 0;
  const Dim end = how.length ? start + *how.length : how.center ? all - length / 2 : all;
  const Dim last = e.simplify(sym::min(end, all));
  const Expr signal = slice(summed, 1, start, last) / slice(weights, 1, start, last);
  return how.length ? resized(signal, 1, *how.length) : signal;
}

Tensor istft(Emit& e, Tensor self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
             std::optional<std::int64_t> win_length, std::optional<Expr> window, bool center, bool normalized,
             std::optional<bool> onesided, std::optional<Dim> length, bool return_complex) {
  if (!self.complex) {
    const bool in_parts = is_floating(self.dtype()) && self.rank() > 0 && self.dim(-1).as_constant() == 2;
    if (!in_parts) throw ProgramError("the input must be complex");
    self = Tensor::pairs(self.value);
  }
  if (self.rank() != 2 && self.rank() != 3)
    throw ProgramError("the input must be a spectrum or a batch of spectra");
  const bool single = self.rank() == 2;
  const bool half = onesided.value_or(e.sym().equal(self.dim(-2), n_fft) != sym::Truth::yes);
  if (half && return_complex) throw ProgramError("half a spectrum has no complex signal");
  Complex x = parts_of(e, self);
  if (single) x = changed(x, [](const Expr& part) { return unsqueeze(part, {0}); });
  const Tensor spectra = pairs(changed(x, [](const Expr& part) { return transpose(part, {0, 2, 1}); }));
  const Norm norm = normalized ? Norm::root : Norm::count;
  const Extent extent{{2}, {Dim(n_fft)}};
  const Istft how{frames_of(e, x.dtype(), n_fft, hop_length, win_length, window), center, length};
  const Complex frames = return_complex ? parts_of(e, complex_to_complex(e, spectra, extent, norm, false))
                                        : Complex{complex_to_real(e, spectra, extent, norm, false), nullptr};
  Complex signals = changed(frames, [&](const Expr& part) { return signals_of(e, part, how); });
  if (single) signals = changed(signals, [](const Expr& part) { return squeeze(part, {0}); });
  return return_complex ? pairs(signals) : Tensor(signals.real);
}

constexpr Declaration kFrames[] = {
    op<stft, stft>(
        "aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
        "window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor",
        {.doc = "The spectra of overlapping frames.",
         .sample = "self=f32[batch,400], n_fft=16",
         .result = Result::complex}),
    op<centered_stft, centered_stft>(
        "aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, "
        "Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool "
        "normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor",
        {.doc = "The spectra of overlapping frames.",
         .sample = "self=f32[batch,400], n_fft=16",
         .result = Result::complex}),
    op<istft, istft>(
        "aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? "
        "window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, "
        "bool return_complex=False) -> Tensor",
        {.doc = "The signals of spectra of overlapping frames.",
         .sample = "self=c64[batch,9,width], n_fft=16",
         .result = Result::unknown}),
};

}  // namespace

std::span<const Declaration> frames_ops() { return kFrames; }

}  // namespace cameo::aten
