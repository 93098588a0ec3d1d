#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor abs(Emit& e, Tensor self) { return e.op("Abs", {self}); }

constexpr Op kUnary[] = {
    op<abs>("aten::abs(Tensor self) -> Tensor", {.doc = "The absolute value."}),
};

}  // namespace

std::span<const Op> unary_ops() { return kUnary; }

}  // namespace cameo::aten
