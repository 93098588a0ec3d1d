// Pixels and channels in another order.
#include <algorithm>
#include <numeric>

#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using Ints = std::vector<std::int64_t>;

// Blocks of channels become blocks of pixels.
Expr pixel_shuffle(Emit& e, Expr self, std::int64_t upscale_factor) {
  if (self.rank() < 3) throw ProgramError("the input must have at least three dimensions");
  const std::int64_t r = upscale_factor;
  if (r < 1) throw ProgramError("the factor must be positive");
  if (e.sym().divisible(self.dim(-3), r * r) == sym::Truth::no)
    throw ProgramError("the number of channels must be divisible by the factor's square");
  if (self.rank() == 4 && (self.dtype() == DType::f32 || self.dtype() == DType::f64))
    return e.op("DepthToSpace", {self}, {{"blocksize", r}, {"mode", "CRD"}});
  const Dim channels = sym::floordiv(self.dim(-3), r * r), height = self.dim(-2), width = self.dim(-1);
  Shape split(self.shape().begin(), self.shape().end() - 3), result = split;
  const auto lead = std::ssize(split);
  split.insert(split.end(), {channels, r, r, height, width});
  result.insert(result.end(), {channels, height * r, width * r});
  Ints perm(split.size());
  std::iota(perm.begin(), perm.end(), 0);
  std::ranges::copy(Ints{lead, lead + 3, lead + 1, lead + 4, lead + 2}, perm.begin() + lead);
  return reshape(transpose(reshape(self, split), perm), result);
}

Expr pixel_unshuffle(Emit& e, Expr self, std::int64_t downscale_factor) {
  if (self.rank() < 3) throw ProgramError("the input must have at least three dimensions");
  const std::int64_t r = downscale_factor;
  if (r < 1) throw ProgramError("the factor must be positive");
  for (std::int64_t axis : {-2, -1})
    if (e.sym().divisible(self.dim(axis), r) == sym::Truth::no)
      throw ProgramError("height and width must be divisible by the factor");
  const auto channels = self.dim(-3).as_constant();
  if (self.rank() == 4 && channels && (self.dtype() == DType::f32 || self.dtype() == DType::f64)) {
    // ONNX puts the channels last within a block of pixels.
    Ints order;
    for (std::int64_t channel = 0; channel < *channels; ++channel)
      for (std::int64_t pixel = 0; pixel < r * r; ++pixel) order.push_back(pixel * *channels + channel);
    const Expr blocks = e.op("SpaceToDepth", {self}, {{"blocksize", r}});
    return *channels == 1 ? blocks : gather(blocks, e.ints(order), 1);
  }
  const Dim height = sym::floordiv(self.dim(-2), r), width = sym::floordiv(self.dim(-1), r);
  Shape split(self.shape().begin(), self.shape().end() - 3), result = split;
  const auto lead = std::ssize(split);
  split.insert(split.end(), {self.dim(-3), height, r, width, r});
  result.insert(result.end(), {self.dim(-3) * (r * r), height, width});
  Ints perm(split.size());
  std::iota(perm.begin(), perm.end(), 0);
  std::ranges::copy(Ints{lead, lead + 2, lead + 4, lead + 1, lead + 3}, perm.begin() + lead);
  return reshape(transpose(reshape(self, split), perm), result);
}

Expr channel_shuffle(Emit& e, Expr self, std::int64_t groups) {
  if (self.rank() < 3) throw ProgramError("the input must have at least three dimensions");
  if (groups < 1 || e.sym().divisible(self.dim(1), groups) == sym::Truth::no)
    throw ProgramError("the number of channels must be divisible by the number of groups");
  Shape split{self.dim(0), groups, sym::floordiv(self.dim(1), groups)};
  split.insert(split.end(), self.shape().begin() + 2, self.shape().end());
  Ints perm(split.size());
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[1], perm[2]);
  return reshape(transpose(reshape(self, split), perm), self.shape());
}

constexpr Declaration kShuffling[] = {
    op<pixel_shuffle>("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
                      {.doc = "Channels become blocks of pixels.",
                       .quantized = OnQuantized::integers,
                       .sample = "self=f32[batch,12,height,width], upscale_factor=2"}),
    op<pixel_unshuffle>("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
                        {.doc = "Blocks of pixels become channels.",
                         .quantized = OnQuantized::integers,
                         .sample = "self=f32[batch,6,10,12], downscale_factor=2"}),
    op<channel_shuffle>("aten::channel_shuffle(Tensor self, int groups) -> Tensor",
                        {.doc = "Deals out the channels of groups in turn.",
                         .quantized = OnQuantized::integers,
                         .aliases = {"aten::native_channel_shuffle"},
                         .sample = "self=f32[batch,6,height,width], groups=2"}),
};

}  // namespace

std::span<const Declaration> shuffling_ops() { return kShuffling; }

}  // namespace cameo::aten
