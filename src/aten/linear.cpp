// Products of matrices and vectors.
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor mm(Emit& e, Tensor self, Tensor mat2) { return e.op("MatMul", {self, mat2}); }

constexpr Op kLinear[] = {
    op<mm>("aten::mm(Tensor self, Tensor mat2) -> Tensor", {.doc = "The product of two matrices."}),
};

}  // namespace

std::span<const Op> linear_ops() { return kLinear; }

}  // namespace cameo::aten
