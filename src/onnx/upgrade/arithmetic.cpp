#include <numeric>

#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

// Axes of size 1 behind those of an operand, so that it has `rank` axes of which its own begin at `first`.
void align(Raising& r, std::size_t input, std::int64_t first, std::int64_t rank) {
  const std::int64_t end = first + *r.rank(input);
  if (first < 0 || end > rank) return r.give_up();
  if (end == rank) return;
  std::vector<std::int64_t> axes(as_size(rank - end));
  std::iota(axes.begin(), axes.end(), *r.rank(input));
  r.node.inputs[input] = r.maker.op("Unsqueeze", {r.node.inputs[input], r.integers(axes)}, {});
}

// The second operand was put against the last axes of the first, or those from `axis` on.
void broadcast(Raising& r) {
  const bool asked = r.take<std::int64_t>("broadcast").value_or(0) != 0;
  const auto axis = r.take<std::int64_t>("axis");
  if (!asked || !axis) return;
  const auto rank = r.rank(0);
  if (!rank || !r.rank(1)) return r.give_up();
  align(r, 1, *axis < 0 ? *axis + *rank : *axis, *rank);
}

void gemm(Raising& r) { r.remove("broadcast"); }

// One slope for all, or one a channel.
void slope(Raising& r) {
  const auto rank = r.rank(0);
  if (!rank || r.rank(1) != 1) return r.only_types();
  const auto size = known(r.node.inputs[1]->type.shape->front());
  if (size == 1 || *rank < 2) return;
  align(r, 1, 1, *rank);
}

constexpr Upgrade kArithmetic[] = {
    {"Add", 7, broadcast}, {"And", 7, broadcast},     {"Div", 7, broadcast},  {"Equal", 7, broadcast},
    {"Gemm", 7, gemm},     {"Greater", 7, broadcast}, {"Less", 7, broadcast}, {"Mul", 7, broadcast},
    {"Or", 7, broadcast},  {"PRelu", 7, slope},       {"Pow", 7, broadcast},  {"Sub", 7, broadcast},
    {"Xor", 7, broadcast},
};

}  // namespace

std::span<const Upgrade> arithmetic_upgrades() { return kArithmetic; }

}  // namespace cameo::onnx
