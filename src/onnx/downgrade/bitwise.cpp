#include <numeric>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// k, if the number is 2^k - 1 for sure.
std::optional<int> low_bits(const Value* value) {
  if (!value->constant() || !value->data->shape().empty()) return std::nullopt;
  const std::int64_t mask = value->data->integer(0);
  for (int bits = 1; bits < 63; ++bits)
    if (mask == (std::int64_t{1} << bits) - 1) return bits;
  return std::nullopt;
}

// Of numbers without a sign that f64 holds: other types have no such shift before 11.
void bit_shift(Translation& t) {
  Emit& e = t.emit;
  const DType dtype = t.node.inputs[0]->dtype();
  if (size_of(dtype) > 4 || text_attribute(t, "direction", "") != "RIGHT")
    needs(t, "no older operator shifts bits");
  auto wide = [&](std::size_t input) { return e.cast(t.node.inputs[input], DType::f64); };
  Value* power = e.op("Pow", {e.scalar(DType::f64, 2.0), wide(1)});
  t.instead = {e.cast(e.op("Floor", {e.op("Div", {wide(0), power})}), dtype)};
}

// All bits of x by division; the last is the sign.
Value* bits_by_division(Emit& e, Value* x, std::int64_t count) {
  std::vector<std::int64_t> powers;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 63); ++i) powers.push_back(std::int64_t{1} << i);
  Value *spread = e.unsqueeze(e.cast(x, DType::i64), {-1}), *worth = e.ints(powers);
  Value* whole = e.op("Div", {e.op("Sub", {spread, e.op("Mod", {spread, worth})}), worth});
  Value* bits = e.op("Mod", {whole, e.scalar(DType::i64, std::int64_t{2})});
  if (count < 64) return bits;
  return e.concat({bits, e.cast(e.op("Less", {spread, e.ints({0})}), DType::i64)}, -1);
}

// All bits of x, as numbers along a new last axis: each shifted out to the left of itself, then all the way
// down.
Value* bits_of(Emit& e, Value* x, std::int64_t count) {
  if (e.model().opset < first_opset("BitShift")) return bits_by_division(e, x, count);
  std::vector<std::uint64_t> up(as_size(count));
  std::iota(up.rbegin(), up.rend(), std::uint64_t{64} - static_cast<std::uint64_t>(count));
  auto shifted = [&](Value* value, Value* by, const char* direction) {
    return e.op("BitShift", {value, by}, {{"direction", std::string(direction)}});
  };
  Value* spread = e.unsqueeze(e.cast(e.cast(x, DType::i64), DType::u64), {-1});
  Value* top = shifted(spread, e.constant(Data::of<std::uint64_t>(DType::u64, {count}, up)), "LEFT");
  return e.cast(shifted(top, e.scalar(DType::u64, std::int64_t{63}), "RIGHT"), DType::i64);
}

Value* common_bits(Emit& e, Value* a, Value* b) {
  if (low_bits(a)) std::swap(a, b);
  if (const std::optional<int> bits = low_bits(b))
    if (*bits < static_cast<int>(8 * size_of(a->dtype())) - 1)
      return e.op("Mod", {a, e.scalar(a->dtype(), std::int64_t{1} << *bits)});
  const auto count = static_cast<std::int64_t>(8 * size_of(a->dtype()));
  std::vector<std::int64_t> worth;
  for (std::int64_t i = 0; i < count; ++i) worth.push_back(static_cast<std::int64_t>(std::uint64_t{1} << i));
  if (a->dtype() != DType::u8) worth.back() = -2 * worth[worth.size() - 2];
  Value* common = e.op("Mul", {bits_of(e, a, count), bits_of(e, b, count)});
  // Next to a vector ONNX Runtime does not multiply what has no elements.
  Value* sum = e.op("MatMul", {common, e.unsqueeze(e.ints(worth), {1})});
  return e.cast(e.squeeze(sum, {-1}), a->dtype());
}

void bitwise_and(Translation& t) { t.instead = {common_bits(t.emit, t.node.inputs[0], t.node.inputs[1])}; }

// a + b counts the common bits twice: as a carry.
void bitwise_or(Translation& t) {
  Emit& e = t.emit;
  Value *a = t.node.inputs[0], *b = t.node.inputs[1];
  t.instead = {e.op("Sub", {e.op("Add", {a, b}), common_bits(e, a, b)})};
}

void bitwise_xor(Translation& t) {
  Emit& e = t.emit;
  Value *a = t.node.inputs[0], *b = t.node.inputs[1];
  Value* carry = e.op("Mul", {common_bits(e, a, b), e.scalar(a->dtype(), std::int64_t{2})});
  t.instead = {e.op("Sub", {e.op("Add", {a, b}), carry})};
}

// The complement of two: -1 - x; without a sign, from the largest number.
void bitwise_not(Translation& t) {
  Value* x = t.node.inputs[0];
  Value* ones = t.emit.scalar(x->dtype(), std::int64_t{x->dtype() == DType::u8 ? 255 : -1});
  t.instead = {t.emit.op("Sub", {ones, x})};
}

constexpr Revisions kBitwise[] = {
    {"BitwiseAnd", {}, bitwise_and}, {"BitwiseOr", {}, bitwise_or}, {"BitwiseXor", {}, bitwise_xor},
    {"BitwiseNot", {}, bitwise_not}, {"BitShift", {}, bit_shift},
};

}  // namespace

std::span<const Revisions> bitwise_revisions() { return kBitwise; }

}  // namespace cameo::onnx
