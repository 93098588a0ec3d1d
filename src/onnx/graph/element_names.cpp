#include "onnx/graph/element_names.h"

#include <fmt/core.h>

#include <algorithm>

namespace cameo::onnx {
namespace {

constexpr std::string_view kOnnxNames[] = {
    "UNDEFINED", "FLOAT",      "UINT8",      "INT8",         "UINT16",         "INT16",      "INT32",
    "INT64",     "STRING",     "BOOL",       "FLOAT16",      "DOUBLE",         "UINT32",     "UINT64",
    "COMPLEX64", "COMPLEX128", "BFLOAT16",   "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
    "UINT4",     "INT4",       "FLOAT4E2M1", "FLOAT8E8M0",   "UINT2",          "INT2"};

}  // namespace

std::string onnx_name(std::optional<std::int32_t> type) {
  const auto index = static_cast<std::size_t>(type.value_or(0));
  return index < std::size(kOnnxNames) ? std::string(kOnnxNames[index]) : fmt::format("{}", index);
}

std::string plain_name(std::optional<std::int32_t> type) {
  std::string name = onnx_name(type);
  if (name == kOnnxNames[0]) return "?";
  if (name == "FLOAT") return "float32";
  if (name == "DOUBLE") return "float64";
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

}  // namespace cameo::onnx
