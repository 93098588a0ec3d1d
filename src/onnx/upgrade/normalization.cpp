#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

void test_mode(Raising& r) {
  if (r.take<std::int64_t>("is_test").value_or(0) == 0) r.only_types();
}

void spatial(Raising& r) {
  if (r.take<std::int64_t>("spatial").value_or(1) == 0) r.only_types();
}

// The number of results selected training or inference.
void training(Raising& r) {
  if (r.outputs > 1) r.only_types();
}

// The tensor was taken for a matrix whose rows begin at `axis`: the same for the last axis only.
void rows(Raising& r) {
  const std::int64_t axis = r.get<std::int64_t>("axis").value_or(1);
  const auto rank = r.rank(0);
  if (axis == -1 || (rank && axis == *rank - 1)) return;
  r.set("axis", axis);
  r.only_types();
}

constexpr Upgrade kNormalization[] = {
    {"BatchNormalization", 7, test_mode},
    {"BatchNormalization", 9, spatial},
    {"BatchNormalization", 14, training},
    {"Hardmax", 13, rows},
    {"LogSoftmax", 13, rows},
    {"Softmax", 13, rows},
};

}  // namespace

std::span<const Upgrade> normalization_upgrades() { return kNormalization; }

}  // namespace cameo::onnx
