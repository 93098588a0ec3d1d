#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor neg(Emit& e, Tensor self) { return e.op("Neg", {self}); }

constexpr Op kArithmetic[] = {
    op<neg>("aten::neg(Tensor self) -> Tensor", {.doc = "-x."}),
};

}  // namespace

std::span<const Op> arithmetic_ops() { return kArithmetic; }

}  // namespace cameo::aten
