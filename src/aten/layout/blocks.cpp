// Matrices put together along a diagonal.
#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Expr block_diag(Emit& e, std::vector<Expr> tensors) {
  if (tensors.empty()) return filled(e.scalar(DType::f32, 0.0), {1, 0});
  std::vector<Operand> all;
  std::vector<Expr> blocks;
  Dim width(0);
  for (const Expr& x : tensors) {
    if (x.rank() > 2) throw ProgramError("each tensor must have at most two dimensions");
    all.emplace_back(x);
    blocks.emplace_back(x.rank() == 2 ? x : reshape(x, {1, x.shape().product()}));
    width = width + blocks.back().dim(1);
  }
  const DType dtype = result_type(all);
  const Expr zero = e.scalar(dtype, std::int64_t{0});
  Dim before(0);
  std::vector<Expr> rows;
  for (const Expr& block : blocks) {
    const Dim height = block.dim(0), end = before + block.dim(1);
    if (height.as_constant() == 0) {
      before = end;
      continue;
    }
    std::vector<Expr> parts;
    if (before.as_constant() != 0) parts.push_back(filled(zero, {height, before}));
    parts.push_back(cast(block, dtype));
    if ((width - end).as_constant() != 0) parts.push_back(filled(zero, {height, width - end}));
    rows.push_back(concat(parts, 1));
    before = end;
  }
  return rows.empty() ? Expr(filled(zero, {0, width})) : Expr(concat(rows, 0));
}

constexpr Declaration kBlocks[] = {
    op<block_diag>("aten::block_diag(Tensor[] tensors) -> Tensor",
                   {.doc = "Matrices along the diagonal of a larger one.", .complex = OnComplex::by_parts}),
};

}  // namespace

std::span<const Declaration> blocks_ops() { return kBlocks; }

}  // namespace cameo::aten
