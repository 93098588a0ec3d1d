#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor relu(Emit& e, Tensor self) { return e.op("Relu", {self}); }

constexpr Op kActivation[] = {
    op<relu>("aten::relu(Tensor self) -> Tensor", {.doc = "max(x, 0)."}),
};

}  // namespace

std::span<const Op> activation_ops() { return kActivation; }

}  // namespace cameo::aten
