// Tensors put together of blocks: along a diagonal, or the two halves exchanged.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

using onnx::Value;

Tensor block_diag(Emit& e, std::vector<Tensor> tensors) {
  if (tensors.empty()) return filled(e, e.scalar(DType::f32, 0.0), {1, 0});
  std::vector<Operand> all;
  std::vector<Tensor> blocks;
  Dim width(0);
  for (const Tensor& x : tensors) {
    if (x.rank() > 2) throw ProgramError("block_diag takes tensors of at most two dimensions");
    all.emplace_back(x);
    blocks.emplace_back(x.rank() == 2 ? x.value : e.reshape(x, {1, numel(e, x)}));
    width = width + blocks.back().dim(1);
  }
  const DType dtype = result_type(all);
  Value* zero = e.scalar(dtype, std::int64_t{0});
  Dim before(0);
  std::vector<Value*> rows;
  for (const Tensor& block : blocks) {
    const Dim height = block.dim(0), end = before + block.dim(1);
    if (height.as_constant() == 0) {
      before = end;
      continue;
    }
    std::vector<Value*> parts;
    if (before.as_constant() != 0) parts.push_back(filled(e, zero, {height, before}));
    parts.push_back(e.cast(block, dtype));
    if ((width - end).as_constant() != 0) parts.push_back(filled(e, zero, {height, width - end}));
    rows.push_back(e.concat(parts, 1));
    before = end;
  }
  return rows.empty() ? Tensor(filled(e, zero, {0, width})) : Tensor(e.concat(rows, 0));
}

// The halves of each dimension exchanged; the middle element of an odd number goes with the first half, or
// with the second one where that is undone.
template <bool kUndo>
Tensor fftshift(Emit& e, Tensor self, std::optional<Axes> dim) {
  const Axes axes = dim ? wrap_axes(self, *dim) : all_axes(self);
  Value* x = self;
  for (std::int64_t axis : axes) {
    const Dim size = self.dim(axis);
    const Dim front = kUndo ? sym::floordiv(size, 2) : sym::floordiv(size + 1, 2);
    x = e.concat({e.slice(x, axis, front, size), e.slice(x, axis, 0, front)}, axis);
  }
  return x;
}

constexpr Op kBlocks[] = {
    op<block_diag>("aten::block_diag(Tensor[] tensors) -> Tensor",
                   {.doc = "Matrices along the diagonal of a larger one."}),
    op<fftshift<false>>("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
                        {.doc = "Frequency 0 moved to the middle."}),
    op<fftshift<true>>("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
                       {.doc = "Frequency 0 moved from the middle to the front."}),
};

}  // namespace

std::span<const Op> blocks_ops() { return kBlocks; }

}  // namespace cameo::aten
