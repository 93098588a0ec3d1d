#include "runtime/explain.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace cameo::runtime {
namespace {

std::string list(std::span<const ValueInfo> infos) {
  std::vector<std::string> texts;
  for (const ValueInfo& info : infos) texts.push_back(to_string(info));
  return join(texts, "; ");
}

// The shape to export with so that `given` fits: an axis that differs gets a name.
std::string explain_shape(const ValueInfo& info, const std::vector<std::int64_t>& given) {
  const auto& dims = *info.shape;
  if (dims.size() != given.size()) {
    return fmt::format("`{}` takes {} axes and was given {}: {}", info.name, dims.size(), given.size(),
                       to_string(info));
  }
  std::vector<std::string> axes;
  bool differs = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool fixed = dims[i].size >= 0;
    const bool wrong = fixed && dims[i].size != given[i];
    differs = differs || wrong;
    if (fixed && !wrong) {
      axes.push_back(std::to_string(dims[i].size));
    } else {
      axes.push_back(dims[i].name.empty() ? fmt::format("dim{}", i) : dims[i].name);
    }
  }
  if (!differs) return "";
  return fmt::format(
      "the model was exported with fixed sizes: feed {}, or re-export with --input '{}={}[{}]'",
      to_string(info), info.name, name(info.type), join(axes, ","));
}

ValueInfo::Kind kind_of(const Datum& datum) {
  if (datum.is_tensor()) return ValueInfo::Kind::tensor;
  if (datum.is_map()) return ValueInfo::Kind::map;
  return datum.is_sequence() ? ValueInfo::Kind::sequence : ValueInfo::Kind::map_sequence;
}

std::string_view describe(ValueInfo::Kind kind) {
  switch (kind) {
    case ValueInfo::Kind::tensor: return "tensor";
    case ValueInfo::Kind::sequence: return "sequence";
    case ValueInfo::Kind::map: return "map";
    default: return "sequence of maps";
  }
}

std::string explain_feed(const ValueInfo& info, const Datum& datum) {
  if (!datum.has_value()) return "";
  if (info.kind != kind_of(datum))
    return fmt::format("`{}` was fed a {}: feed {}", info.name, describe(kind_of(datum)), to_string(info));
  if (!datum.is_tensor()) return "";
  const Array& array = datum.tensor();
  if (array.type() != info.type) {
    return fmt::format("`{}` was fed {}: feed {}", info.name, name(array.type()), to_string(info));
  }
  return info.shape ? explain_shape(info, array.shape()) : "";
}

}  // namespace

std::string explain_feeds(std::span<const ValueInfo> inputs, std::span<const Session::Feed> feeds) {
  for (const auto& [name, datum] : feeds) {
    const auto input = std::ranges::find(inputs, name, &ValueInfo::name);
    if (input == inputs.end())
      return fmt::format("there is no input `{}`, the inputs are {}", name, list(inputs));
    if (std::string text = explain_feed(*input, datum); !text.empty()) return text;
  }
  return "";
}

std::string explain_outputs(std::span<const ValueInfo> outputs, std::span<const std::string> asked) {
  for (const std::string& name : asked) {
    if (std::ranges::find(outputs, name, &ValueInfo::name) == outputs.end()) {
      return fmt::format("there is no output `{}`, the outputs are {}", name, list(outputs));
    }
  }
  return "";
}

}  // namespace cameo::runtime
