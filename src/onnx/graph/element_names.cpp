#include "onnx/graph/element_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/dtype.h"

namespace cameo::onnx {

std::string onnx_name(std::optional<std::int32_t> type) {
  const auto wanted = static_cast<ElementType>(type.value_or(0));
  const DTypeInfo& row = info(wanted);
  return row.onnx == wanted ? std::string(row.onnx_name) : fmt::format("{}", type.value_or(0));
}

std::string plain_name(std::optional<std::int32_t> type) {
  if (type.value_or(0) == 0) return "?";
  std::string name = onnx_name(type);
  if (name == "FLOAT") return "float32";
  if (name == "DOUBLE") return "float64";
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

}  // namespace cameo::onnx
