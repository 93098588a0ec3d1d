// Operators that have no converter. `--operators aten` and its kin keep them as PyTorch operators, and these
// declarations state the types of their results where they differ from the types of the arguments.
#include "aten/families.h"

namespace cameo::aten {
namespace {

consteval Declaration unconverted(std::string_view schema, Traits traits) {
  check(parse_schema(schema), traits);
  return {schema, traits, nullptr};
}

constexpr Declaration kUnconverted[] = {
    unconverted("aten::complex(Tensor real, Tensor imag) -> Tensor",
                {.doc = "Complex numbers of two parts.", .result = Result::complex}),
    unconverted("aten::polar(Tensor abs, Tensor angle) -> Tensor",
                {.doc = "Complex numbers of length and angle.", .result = Result::complex}),
    unconverted("aten::view_as_complex(Tensor(a) self) -> Tensor(a)",
                {.doc = "Pairs as complex numbers.", .result = Result::complex}),
    unconverted("aten::fft_fft(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
                {.doc = "Fourier transform of one dimension.",
                 .aliases = {"aten::fft_ifft", "aten::fft_rfft", "aten::fft_ihfft"},
                 .result = Result::complex}),
    unconverted("aten::fft_fft2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor",
                {.doc = "Fourier transform of two dimensions.",
                 .aliases = {"aten::fft_ifft2", "aten::fft_rfft2", "aten::fft_ihfft2"},
                 .result = Result::complex}),
    unconverted("aten::fft_fftn(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
                {.doc = "Fourier transform of several dimensions.",
                 .aliases = {"aten::fft_ifftn", "aten::fft_rfftn", "aten::fft_ihfftn"},
                 .result = Result::complex}),
    unconverted("aten::resize(Tensor self, int[] size, *, MemoryFormat? memory_format=None) -> Tensor",
                {.doc = "The same memory with other sizes.", .result = Result::same}),
};

}  // namespace

std::span<const Declaration> unconverted_ops() { return kUnconverted; }

}  // namespace cameo::aten
