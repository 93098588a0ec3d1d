// Elements chosen by tensors of indices or masks.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor index_select(Emit& e, Tensor self, std::int64_t dim, Tensor index) {
  if (self.rank() == 0) return e.reshape(e.gather(e.reshape(self, {1}), index, 0), {});
  return e.gather(self, index, self.wrap(dim));
}

constexpr Op kIndexing[] = {
    op<index_select>("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor",
                     {.doc = "Given indices of a dimension."}),
};

}  // namespace

std::span<const Op> indexing_ops() { return kIndexing; }

}  // namespace cameo::aten
