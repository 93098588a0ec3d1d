// Real numbers seen as complex ones: their parts, conjugates and angles.
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

void need_real(const Expr& self) {
  if (is_complex(self.dtype())) throw Unsupported("complex numbers are not supported");
}

Expr itself(Emit&, Expr self) {
  need_real(self);
  return self;
}

Expr isreal(Emit& e, Expr self) {
  need_real(self);
  return filled_like(e.scalar(DType::boolean, std::int64_t{1}), self);
}

Expr angle(Emit&, Expr self) {
  const Expr x = floats(self);
  const Expr turned = where(x < 0, x.number(std::numbers::pi), 0);
  if (is_whole(self)) return turned;
  const Expr nan = x.number(std::numeric_limits<double>::quiet_NaN());
  return where(is_nan(x), nan, turned);
}

constexpr Declaration kComplexParts[] = {
    op<itself>("aten::real(Tensor(a) self) -> Tensor(a)",
               {.doc = "Real numbers as they are.",
                .aliases = {"aten::conj", "aten::_conj", "prims::real"},
                .copies = {"aten::_conj_copy"}}),
    op<itself>(
        "aten::conj_physical(Tensor self) -> Tensor",
        {.doc = "Real numbers as they are.", .aliases = {"aten::_conj_physical", "prims::conj_physical"}}),
    op<itself>(
        "aten::resolve_conj(Tensor(a) self) -> Tensor(a)",
        {.doc = "Real numbers as they are.", .aliases = {"aten::resolve_neg"}, .view = View::unchanged}),
    op<isreal>("aten::isreal(Tensor self) -> Tensor",
               {.doc = "True: of real numbers, all are.", .result = Result::boolean}),
    op<angle>("aten::angle(Tensor self) -> Tensor", {.doc = "π for negative numbers, 0 for others."}),
};

}  // namespace

std::span<const Declaration> complex_parts_ops() { return kComplexParts; }

}  // namespace cameo::aten
