// Truths and bits: logical and bitwise operators, shifts, and choosing by a condition.
#include "aten/elementwise.h"
#include "aten/families.h"

namespace cameo::aten {
namespace {

template <OpName kOp>
Expr logical(Emit& e, Expr self, Expr other) {
  return e.op(kOp.text, {cast(self, DType::boolean), cast(other, DType::boolean)});
}
Expr logical_not(Emit&, Expr self) { return !cast(self, DType::boolean); }

template <OpName kOnBooleans, OpName kOnIntegers>
Expr bitwise(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (is_floating(a->dtype())) throw ProgramError("bitwise operators need integers or booleans");
  return e.op(a->dtype() == DType::boolean ? kOnBooleans.text : kOnIntegers.text, {a, b});
}
constexpr auto* kBoth = bitwise<"And", "BitwiseAnd">;
constexpr auto* kEither = bitwise<"Or", "BitwiseOr">;
constexpr auto* kOne = bitwise<"Xor", "BitwiseXor">;

Expr bitwise_not(Emit& e, Expr self) {
  if (is_floating(self.dtype())) throw ProgramError("bitwise operators need integers or booleans");
  return e.op(self.dtype() == DType::boolean ? "Not" : "BitwiseNot", {self});
}

// 2 to the power of the shift.
Expr shift_factor(Emit& e, Expr shift) {
  if (std::optional<double> known = known_number(shift); known && *known >= 0 && *known < 63)
    return e.scalar(shift->dtype(), std::int64_t{1} << static_cast<int>(*known));
  return power(2, shift);
}

Expr left_shift(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  return a * shift_factor(e, b);
}

// A division that rounds down is an arithmetic shift: it keeps the sign.
Expr right_shift(Emit& e, const Operand& self, const Operand& other) {
  auto [a, b] = operands(e, self, other);
  if (a->dtype() == DType::u8) return e.op("BitShift", {a, b}, {{"direction", std::string("RIGHT")}});
  const Expr factor = shift_factor(e, b);
  if (is_floating(a->dtype())) return a / factor;
  return (a - a % factor) / factor;
}

template <class A, class B>
Expr where(Emit& e, Expr condition, A self, B other) {
  auto [a, b] = operands(e, self, other);
  return where(cast(condition, DType::boolean), a, b);
}

// The indices of what is true, a tensor for each dimension.
std::vector<Expr> where_true(Emit& e, Expr condition) {
  Expr truths = cast(condition, DType::boolean);
  if (condition.rank() == 0) truths = reshape(truths, {1});
  const Expr indices = e.op("NonZero", {truths});
  std::vector<Expr> result;
  for (std::int64_t axis = 0; axis < truths.rank(); ++axis) result.push_back(gather(indices, e.dim(axis), 0));
  return result;
}

constexpr Declaration kLogic[] = {
    op<logical<"And">>("aten::logical_and(Tensor self, Tensor other) -> Tensor",
                       {.doc = "Logical and; numbers are true unless 0.", .result = Result::boolean}),
    op<logical<"Or">>("aten::logical_or(Tensor self, Tensor other) -> Tensor",
                      {.doc = "Logical or; numbers are true unless 0.", .result = Result::boolean}),
    op<logical<"Xor">>("aten::logical_xor(Tensor self, Tensor other) -> Tensor",
                       {.doc = "Logical xor; numbers are true unless 0.", .result = Result::boolean}),
    op<logical_not>("aten::logical_not(Tensor self) -> Tensor",
                    {.doc = "Logical not; numbers are true unless 0.", .result = Result::boolean}),
    op<on<kBoth, Tensor, Tensor>>("aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor",
                                  {.doc = "Bitwise and; of booleans, logical and.",
                                   .aliases = {"aten::__and__.Tensor", "prims::bitwise_and"}}),
    op<on<kBoth, Tensor, Scalar>>(
        "aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Bitwise and; of booleans, logical and.", .aliases = {"aten::__and__.Scalar"}}),
    op<on<kBoth, Scalar, Tensor>>("aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                  {.doc = "Bitwise and; of booleans, logical and."}),
    op<on<kEither, Tensor, Tensor>>("aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor",
                                    {.doc = "Bitwise or; of booleans, logical or.",
                                     .aliases = {"aten::__or__.Tensor", "prims::bitwise_or"}}),
    op<on<kEither, Tensor, Scalar>>(
        "aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Bitwise or; of booleans, logical or.", .aliases = {"aten::__or__.Scalar"}}),
    op<on<kEither, Scalar, Tensor>>("aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                    {.doc = "Bitwise or; of booleans, logical or."}),
    op<on<kOne, Tensor, Tensor>>("aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor",
                                 {.doc = "Bitwise xor; of booleans, logical xor.",
                                  .aliases = {"aten::__xor__.Tensor", "prims::bitwise_xor"}}),
    op<on<kOne, Tensor, Scalar>>(
        "aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "Bitwise xor; of booleans, logical xor.", .aliases = {"aten::__xor__.Scalar"}}),
    op<on<kOne, Scalar, Tensor>>("aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                                 {.doc = "Bitwise xor; of booleans, logical xor."}),
    op<bitwise_not>(
        "aten::bitwise_not(Tensor self) -> Tensor",
        {.doc = "Every bit inverted; of booleans, logical not.", .aliases = {"prims::bitwise_not"}}),
    op<on<left_shift, Tensor, Tensor>>("aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
                                       {.doc = "a 2^b.",
                                        .aliases = {"aten::__lshift__.Tensor", "prims::shift_left"},
                                        .sample = "other=i64[batch,6], self=i64[batch,6]"}),
    op<on<left_shift, Tensor, Scalar>>(
        "aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "a 2^b.", .aliases = {"aten::__lshift__.Scalar"}, .sample = "self=i64[batch,6], other=2"}),
    op<on<left_shift, Scalar, Tensor>>(
        "aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "a 2^b.", .sample = "self=2, other=i64[batch,6]"}),
    op<on<right_shift, Tensor, Tensor>>(
        "aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor",
        {.doc = "a / 2^b, rounded down.",
         .aliases = {"aten::__rshift__.Tensor", "prims::shift_right_arithmetic"},
         .sample = "other=i64[batch,6], self=i64[batch,6]"}),
    op<on<right_shift, Tensor, Scalar>>(
        "aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
        {.doc = "a / 2^b, rounded down.",
         .aliases = {"aten::__rshift__.Scalar"},
         .sample = "self=i64[batch,6], other=2"}),
    op<on<right_shift, Scalar, Tensor>>(
        "aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        {.doc = "a / 2^b, rounded down.", .sample = "self=2, other=i64[batch,6]"}),
    op<where<Tensor, Tensor>>(
        "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
        {.doc = "a where the condition holds, b elsewhere.", .complex = OnComplex::by_parts}),
    op<where<Tensor, Tensor>>("prims::where(Tensor pred, Tensor a, Tensor b) -> Tensor",
                              {.doc = "a where the condition is true, else b.",
                               .complex = OnComplex::by_parts,
                               .sample = "pred=bool[batch,6]"}),
    op<where<Scalar, Tensor>>(
        "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
        {.doc = "a where the condition holds, b elsewhere.", .complex = OnComplex::by_parts}),
    op<where<Tensor, Scalar>>(
        "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
        {.doc = "a where the condition holds, b elsewhere.", .complex = OnComplex::by_parts}),
    op<where<Scalar, Scalar>>(
        "aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
        {.doc = "a where the condition holds, b elsewhere.", .complex = OnComplex::by_parts}),
    op<where_true>("aten::where(Tensor condition) -> Tensor[]",
                   {.doc = "The indices of what is true, a tensor for each dimension."}),
};

}  // namespace

std::span<const Declaration> logic_ops() { return kLogic; }

}  // namespace cameo::aten
