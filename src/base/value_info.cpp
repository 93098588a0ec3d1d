#include "cameo/value_info.h"
#include "base/text.h"

#include <fmt/core.h>

namespace cameo {
namespace {

std::string element_text(ElementType type) {
  return type == ElementType::undefined ? "?" : std::string(name(type));
}

std::string tensor_text(const ValueInfo& info, bool shape) {
  std::string text = element_text(info.type);
  if (!shape) return text;
  if (!info.shape) return text + "[…]";
  std::vector<std::string> dims;
  for (const Dim& dim : *info.shape) dims.push_back(to_string(dim));
  return text + fmt::format("[{}]", join(dims, ", "));
}

}  // namespace

std::string to_string(const Dim& dim) {
  if (!dim.name.empty()) return dim.name;
  return dim.size >= 0 ? std::to_string(dim.size) : "?";
}

std::string to_string(const SizeRange& range) {
  return fmt::format("{}..{}{}", range.least, range.most ? std::to_string(*range.most) : "",
                     range.step == 1 ? "" : fmt::format(" step {}", range.step));
}

std::string type_text(const ValueInfo& info, bool shape) {
  const std::string optional = info.optional ? "optional " : "";
  const auto map = [&] {
    return fmt::format("map from {} to {}", element_text(info.key), element_text(info.type));
  };
  switch (info.kind) {
    case ValueInfo::Kind::unknown: return optional + "?";
    case ValueInfo::Kind::tensor: return optional + tensor_text(info, shape);
    case ValueInfo::Kind::sparse_tensor: return optional + "sparse " + tensor_text(info, shape);
    case ValueInfo::Kind::sequence: return optional + "sequence of " + tensor_text(info, shape);
    case ValueInfo::Kind::map: return optional + map();
    case ValueInfo::Kind::map_sequence: return optional + "sequence of " + map();
    case ValueInfo::Kind::other: break;
  }
  return optional + "neither tensor, map nor sequence";
}

std::string to_string(const ValueInfo& info) { return fmt::format("{}: {}", info.name, type_text(info)); }

}  // namespace cameo
