#include <algorithm>

#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

using onnx::Value;

constexpr std::int64_t kMostRead = 4096;  // elements

// The operand that changes nothing, and whether it may stand on the left too.
struct Neutral {
  std::string_view op;
  double number;
  bool on_both_sides;
};
constexpr Neutral kNeutral[] = {
    {"Add", 0, true},  {"Sub", 0, false}, {"Mul", 1, true}, {"Div", 1, false},
    {"Pow", 1, false}, {"And", 1, true},  {"Or", 0, true},
};

bool all_are(const Value* value, double number) {
  const bool counts = is_real(value) || is_integral(value->dtype()) || value->dtype() == DType::boolean;
  if (!value->constant() || !counts || value->data->numel() > kMostRead) return false;
  for (std::int64_t i = 0; i < value->data->numel(); ++i)
    if (value->data->real(i) != number) return false;
  return true;
}

// Broadcasting with `other` makes no axis longer and adds none.
bool keeps_shape(const Value* value, const Value* other, const Value* result) {
  if (other->rank() == 0 || same_shape(value, result)) return true;
  return value->has_rank() && other->rank() <= value->rank() && other->data->numel() == 1;
}

}  // namespace

bool remove_neutral(Patch& patch, onnx::Node& node) {
  const auto* row = std::ranges::find(kNeutral, node.op, &Neutral::op);
  for (const std::size_t side : {1, 0}) {
    if (side == 0 && !row->on_both_sides) break;
    const Value* operand = node.inputs[side];
    Value* other = node.inputs[1 - side];
    if (other->type.kind == onnx::Type::Kind::tensor && other->dtype() == node.outputs[0]->dtype() &&
        all_are(operand, row->number) && keeps_shape(other, operand, node.outputs[0]))
      return patch.bypass(node, other);
  }
  return patch.require(false, "no operand is a constant that leaves values and shape unchanged");
}

}  // namespace cameo::rules
