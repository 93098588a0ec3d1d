#include <algorithm>
#include <cmath>

#include "onnx/graph/element_names.h"
#include "onnx/upgrade/step.h"

namespace cameo::onnx {
namespace {

void concat_axis(Raising& r) {
  if (!r.get<std::int64_t>("axis")) r.set("axis", std::int64_t{1});
}

// The element type was given by its name.
void cast_target(Raising& r) {
  constexpr int kTypes = 27;
  std::string name = r.take<std::string>("to").value_or("");
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  for (int number = 1; number < kTypes; ++number)
    if (onnx_name(number) == name) return r.set("to", std::int64_t{number});
  r.give_up();
}

void selu(Raising& r) {
  if (!r.get<float>("alpha")) r.set("alpha", 1.6732F);
  if (!r.get<float>("gamma")) r.set("gamma", 1.0507F);
}

void norm_order(Raising& r) {
  const float p = r.take<float>("p").value_or(2);
  if (p != std::nearbyint(p) || std::abs(p) > 1000) r.only_types();
  r.set("p", std::isfinite(p) ? std::llround(p) : std::int64_t{2});
  if (r.node.op == "LpPool" && !r.node.attribute("kernel_shape")) r.give_up();
}

void output_sequence(Raising& r) { r.remove("output_sequence"); }

void region_coordinates(Raising& r) {
  r.set("coordinate_transformation_mode", std::string("output_half_pixel"));
}

void grid_mode(Raising& r) {
  const auto mode = r.get<std::string>("mode");
  if (mode == "bilinear") r.set("mode", std::string("linear"));
  if (mode == "bicubic") r.set("mode", std::string("cubic"));
}

void scatter(Raising& r) { r.node.op = "ScatterElements"; }

// The meaning of SAME_UPPER and SAME_LOWER, which end gets the odd element, was exchanged.
void transposed_padding(Raising& r) {
  const std::string padding = r.get<std::string>("auto_pad").value_or("NOTSET");
  if (padding.starts_with("SAME") || r.node.attribute("output_shape")) r.only_types();
}

// It ran over batches.
void scan(Raising& r) { r.give_up(); }

template <class T>
DataPtr list_of(DType dtype, const std::vector<T>& values) {
  return Data::of<T>(dtype, {std::ssize(values)}, values);
}

// Numbers that were given without a tensor around them.
void constant(Raising& r) {
  if (const auto real = r.take<float>("value_float"))
    r.set("value", Data::of<float>(DType::f32, {}, std::span(&*real, 1)));
  if (const auto reals = r.take<std::vector<float>>("value_floats"))
    r.set("value", list_of(DType::f32, *reals));
  if (const auto integer = r.take<std::int64_t>("value_int"))
    r.set("value", Data::of<std::int64_t>(DType::i64, {}, std::span(&*integer, 1)));
  if (const auto integers = r.take<std::vector<std::int64_t>>("value_ints"))
    r.set("value", list_of(DType::i64, *integers));
}

constexpr Upgrade kAttributes[] = {
    {"Cast", 6, cast_target},
    {"Concat", 4, concat_axis},
    {"Constant", kAlways, constant},
    {"ConvTranspose", 11, transposed_padding},
    {"GRU", 7, output_sequence},
    {"GlobalLpPool", 2, norm_order},
    {"GridSample", kAlways, grid_mode},
    {"LSTM", 7, output_sequence},
    {"LpPool", 2, norm_order},
    {"RNN", 7, output_sequence},
    {"RoiAlign", 16, region_coordinates},
    {"Scan", 9, scan},
    {"Scatter", 11, scatter},
    {"Selu", 6, selu},
};

}  // namespace

std::span<const Upgrade> attribute_upgrades() { return kAttributes; }

}  // namespace cameo::onnx
