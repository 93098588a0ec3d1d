// Real numbers seen as complex ones: their parts, conjugates and angles.
#include <limits>
#include <numbers>

#include "aten/elementwise.h"
#include "aten/families.h"
#include "aten/support.h"

namespace cameo::aten {
namespace {

void need_real(const Tensor& self) {
  if (is_complex(self.dtype())) throw Unsupported("complex numbers are not supported");
}

Tensor itself(Emit&, Tensor self) {
  need_real(self);
  return self;
}

Tensor isreal(Emit& e, Tensor self) {
  need_real(self);
  return filled_like(e, e.scalar(DType::boolean, std::int64_t{1}), self);
}

Tensor angle(Emit& e, Tensor self) {
  const Tensor x = floats(e, self);
  onnx::Value* turned = compute(
      e, "Where", {compute(e, "Less", {x, like(e, x, 0)}), like(e, x, std::numbers::pi), like(e, x, 0)});
  if (is_whole(self)) return turned;
  onnx::Value* nan = like(e, x, std::numeric_limits<double>::quiet_NaN());
  return compute(e, "Where", {e.op("IsNaN", {x}), nan, turned});
}

constexpr Declaration kComplexParts[] = {
    op<itself>("aten::real(Tensor(a) self) -> Tensor(a)",
               {.doc = "Real numbers as they are.", .aliases = {"aten::conj"}}),
    op<itself>("aten::conj_physical(Tensor self) -> Tensor", {.doc = "Real numbers as they are."}),
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
