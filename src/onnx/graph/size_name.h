#pragma once
#include <algorithm>
#include <string_view>

namespace cameo::onnx {

// Whether a dim_param of an ONNX file names a size, so that dimensions with the same text are equal. Exporters
// write "?", "None" or "-1" for a size that they do not know, and tf2onnx writes "unk__12".
inline bool names_size(std::string_view parameter) {
  constexpr std::string_view kUnknown = "unk__";
  if (parameter.empty() || parameter == "?" || parameter == "None" || parameter == "-1") return false;
  if (!parameter.starts_with(kUnknown) || parameter.size() == kUnknown.size()) return true;
  return !std::ranges::all_of(parameter.substr(kUnknown.size()), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace cameo::onnx
