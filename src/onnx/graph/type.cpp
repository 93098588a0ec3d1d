#include "onnx/graph/type.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "cameo/diagnostic.h"

namespace cameo::onnx {
namespace {

struct Row {
  DType dtype;
  int onnx;
};

using enum DType;
constexpr std::array kTypes = {
    Row{f32, 1},       Row{u8, 2},          Row{i8, 3},      Row{u16, 4},         Row{i16, 5},
    Row{i32, 6},       Row{i64, 7},         Row{boolean, 9}, Row{f16, 10},        Row{f64, 11},
    Row{u32, 12},      Row{u64, 13},        Row{c64, 14},    Row{c128, 15},       Row{bf16, 16},
    Row{f8e4m3fn, 17}, Row{f8e4m3fnuz, 18}, Row{f8e5m2, 19}, Row{f8e5m2fnuz, 20}, Row{f8e8m0fnu, 24},
    Row{str, 8},       Row{u4, 21},         Row{i4, 22},     Row{f4e2m1, 23},     Row{u2, 25},
    Row{i2, 26},       Row{qi8, 3},         Row{qu8, 2},     Row{qi32, 6},
};

}  // namespace

Dim Shape::product() const {
  Dim all(1);
  for (const Dim& size : *this) all = all * size;
  return all;
}

int to_onnx(DType dtype) {
  if (dtype == undefined) return 0;
  const auto* row =
      std::find_if(kTypes.begin(), kTypes.end(), [dtype](const Row& r) { return r.dtype == dtype; });
  if (row == kTypes.end()) throw InternalError(fmt::format("ONNX has no element type {}", name(dtype)));
  return row->onnx;
}

std::optional<DType> from_onnx(int number) {
  const auto* row =
      std::find_if(kTypes.begin(), kTypes.end(), [number](const Row& r) { return r.onnx == number; });
  if (row == kTypes.end()) return std::nullopt;
  return row->dtype;
}

std::string to_string(const Type& type) {
  if (type.kind == Type::Kind::unknown) return "?";
  std::string text{name(type.dtype)};
  if (!type.shape) {
    text += "[...]";
  } else {
    text += "[";
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
      if (i > 0) text += ", ";
      text += sym::to_string((*type.shape)[i]);
    }
    text += "]";
  }
  if (type.kind == Type::Kind::sequence) return "sequence(" + text + ")";
  if (type.kind == Type::Kind::optional) return "optional(" + text + ")";
  if (type.kind == Type::Kind::optional_sequence) return "optional(sequence(" + text + "))";
  return text;
}

}  // namespace cameo::onnx
