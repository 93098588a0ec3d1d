#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

Tensor eq(Emit& e, Tensor self, Tensor other) { return e.op("Equal", {self, other}); }

constexpr Op kComparison[] = {
    op<eq>("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", {.doc = "Where elements are equal."}),
};

}  // namespace

std::span<const Op> comparison_ops() { return kComparison; }

}  // namespace cameo::aten
