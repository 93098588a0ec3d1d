// Rows of a table.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor embedding(Emit& e, Tensor weight, Tensor indices, Ignored, Ignored, Ignored) {
  return e.gather(weight, indices, 0);
}

constexpr Op kEmbedding[] = {
    op<embedding>("aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool "
                  "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
                  {.doc = "Rows of a table."}),
};

}  // namespace

std::span<const Op> embedding_ops() { return kEmbedding; }

}  // namespace cameo::aten
