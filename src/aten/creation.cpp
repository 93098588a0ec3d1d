#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor zero(Emit& e, Tensor self) { return e.expand(e.scalar(self.dtype(), 0.0), self.shape()); }

constexpr Op kCreation[] = {
    op<zero>("aten::zero(Tensor self) -> Tensor", {.doc = "Zeros in the shape of a tensor."}),
};

}  // namespace

std::span<const Op> creation_ops() { return kCreation; }

}  // namespace cameo::aten
