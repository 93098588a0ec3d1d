#include <limits>

#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

void integers_to_input(Raising& r, std::string_view name, std::size_t input) {
  if (const auto values = r.take<Integers>(name)) r.set_input(input, r.integers(*values));
}

void axes(Raising& r) { integers_to_input(r, "axes", 1); }

void slice(Raising& r) {
  integers_to_input(r, "starts", 1);
  integers_to_input(r, "ends", 2);
  integers_to_input(r, "axes", 3);
}

void reshape(Raising& r) { integers_to_input(r, "shape", 1); }

void paddings(Raising& r) {
  if (auto values = r.take<Integers>("paddings")) r.set("pads", std::move(*values));
}

void pad(Raising& r) {
  integers_to_input(r, "pads", 1);
  const auto value = r.take<float>("value");
  if (!value || *value == 0) return;
  if (Value* number = r.real(r.dtype(0), static_cast<double>(*value)))
    r.set_input(2, number);
  else
    r.only_types();
}

// Before 6 a bound that was not given was none; from then on it was the largest float.
void clip(Raising& r) {
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  const auto low = r.take<float>("min"), high = r.take<float>("max");
  const bool wide = r.dtype(0) != DType::f16 && r.opset >= 6;
  const auto bound = [&](std::size_t input, std::optional<float> given, double otherwise) {
    if (!given && !wide) return;
    if (Value* number = r.real(r.dtype(0), given ? static_cast<double>(*given) : otherwise))
      r.set_input(input, number);
    else
      r.only_types();
  };
  bound(1, low, -kLargest);
  bound(2, high, kLargest);
}

// Its first form had no axis to fall back on, and took the sizes as an input or as an attribute.
void first_split(Raising& r) {
  if (!r.get<std::int64_t>("axis")) r.only_types();
}

void split(Raising& r) {
  if (r.has(1))
    r.remove("split");
  else
    integers_to_input(r, "split", 1);
}

void count_of_parts(Raising& r) {
  if (!r.has(1)) r.set("num_outputs", static_cast<std::int64_t>(r.outputs));
}

void sizes_or_count(Raising& r) {
  if (!r.has(1) && !r.node.attribute("num_outputs")) r.give_up();
}

void top_k(Raising& r) {
  if (const auto k = r.take<std::int64_t>("k")) r.set_input(1, r.integers(std::span(&*k, 1)));
}

void dropout_ratio(Raising& r) {
  if (const auto ratio = r.take<float>("ratio"))
    r.set_input(1, r.real(DType::f32, static_cast<double>(*ratio)));
  if (r.outputs > 1 && r.opset < 10) r.only_types();  // the mask was of the type of the data
}

void dropout_test(Raising& r) {
  if (r.take<std::int64_t>("is_test").value_or(0) == 0) r.only_types();
}

// Where none was given it was the second, and is the last but one.
void fourier_axis(Raising& r) {
  const auto axis = r.take<std::int64_t>("axis");
  if (axis || r.rank(0) != 3) r.set_input(2, r.integer(axis.value_or(1)));
}

// Repeated along one axis only.
void tile(Raising& r) {
  const auto number = [&](std::size_t input) -> std::optional<std::int64_t> {
    if (!r.has(input) || !r.node.inputs[input]->constant()) return std::nullopt;
    const Data& data = *r.node.inputs[input]->data;
    if (data.numel() != 1 || is_complex(data.dtype())) return std::nullopt;
    return static_cast<std::int64_t>(data.real(0));
  };
  const auto rank = r.rank(0), times = number(1), axis = number(2);
  if (!rank || !times || !axis || *axis < 0 || *axis >= *rank) return r.give_up();
  Integers repeats(as_size(*rank), 1);
  element_at(repeats, *axis) = *times;
  r.node.inputs = {r.node.inputs[0], r.integers(repeats)};
}

constexpr Upgrade kArguments[] = {
    {"Clip", 11, clip},
    {"DFT", 20, fourier_axis},
    {"Dropout", 7, dropout_test},
    {"Dropout", 12, dropout_ratio},
    {"Pad", 2, paddings},
    {"Pad", 11, pad},
    {"ReduceL1", 18, axes},
    {"ReduceL2", 18, axes},
    {"ReduceLogSum", 18, axes},
    {"ReduceLogSumExp", 18, axes},
    {"ReduceMax", 18, axes},
    {"ReduceMean", 18, axes},
    {"ReduceMin", 18, axes},
    {"ReduceProd", 18, axes},
    {"ReduceSum", 13, axes},
    {"ReduceSumSquare", 18, axes},
    {"Reshape", 5, reshape},
    {"Slice", 10, slice},
    {"Split", 2, first_split},
    {"Split", 13, split},
    {"Split", 18, count_of_parts},
    {"Split", kAlways, sizes_or_count},
    {"Squeeze", 13, axes},
    {"Tile", 6, tile},
    {"TopK", 10, top_k},
    {"Unsqueeze", 13, axes},
};

}  // namespace

std::span<const Upgrade> argument_upgrades() { return kArguments; }

}  // namespace cameo::onnx
