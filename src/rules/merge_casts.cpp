#include <algorithm>
#include <iterator>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

enum class Kind { none, natural, whole, real };
struct Numbers {
  DType dtype;
  Kind kind;
  int digits;  // binary ones that every number of the type may have
};

constexpr Numbers kNumbers[] = {
    {DType::boolean, Kind::natural, 1}, {DType::u8, Kind::natural, 8},   {DType::u16, Kind::natural, 16},
    {DType::u32, Kind::natural, 32},    {DType::u64, Kind::natural, 64}, {DType::i8, Kind::whole, 7},
    {DType::i16, Kind::whole, 15},      {DType::i32, Kind::whole, 31},   {DType::i64, Kind::whole, 63},
    {DType::bf16, Kind::real, 8},       {DType::f16, Kind::real, 11},    {DType::f32, Kind::real, 24},
    {DType::f64, Kind::real, 53},
};

Numbers numbers(DType dtype) {
  const auto* found = std::ranges::find(kNumbers, dtype, &Numbers::dtype);
  return found == std::end(kNumbers) ? Numbers{dtype, Kind::none, 0} : *found;
}

// Every number of `a` is one of `b`.
bool contained(const Numbers& a, const Numbers& b) {
  if (a.kind == Kind::none || b.kind == Kind::none || b.dtype == DType::boolean) return a.dtype == b.dtype;
  if (a.kind == Kind::real)
    return b.kind == Kind::real && (a.dtype == b.dtype || b.digits >= 24) && a.digits <= b.digits;
  return a.digits <= b.digits && (a.kind == Kind::natural || b.kind != Kind::natural);
}

// A conversion to whole numbers depends on where it comes from when the number does not fit.
bool same_from(const Numbers& a, const Numbers& b, const Numbers& to) {
  if (a.dtype == to.dtype || to.kind == Kind::real || to.dtype == DType::boolean) return true;
  return a.kind != Kind::real && b.kind != Kind::real;
}

}  // namespace

bool merge_casts(Patch& patch, onnx::Node& cast) {
  const onnx::Node* first = made_by(cast.inputs[0], {"Cast"});
  if (!patch.require(first && first->inputs[0]->type.kind == onnx::Type::Kind::tensor,
                     "its input is not the result of a Cast of a tensor"))
    return false;
  const Numbers from = numbers(first->inputs[0]->dtype()), between = numbers(cast.inputs[0]->dtype()),
                to = numbers(cast.outputs[0]->dtype());
  if (!patch.require(to.kind != Kind::none && contained(from, between) && same_from(from, between, to),
                     "the first Cast may change numbers"))
    return false;
  patch.set_input(cast, 0, first->inputs[0]);
  return true;
}

}  // namespace cameo::rules
