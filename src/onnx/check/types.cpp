#include "onnx/check/types.h"

#include <bit>
#include <iterator>
#include <vector>

#include <fmt/core.h>

#include "base/index.h"
#include "onnx/facts/elements.h"

namespace cameo::onnx {
namespace {

using facts::Form;

constexpr const char* kForms[facts::kForms] = {
    "{}",          "seq({})",        "optional({})",     "optional(seq({}))",
    "map(i64>{})", "map(string>{})", "seq(map(i64>{}))", "seq(map(string>{}))"};

std::optional<ValueType> wrapped(const proto::Type& outer, ValueType inner) {
  const bool sequence = outer.kind == proto::Type::Kind::sequence;
  switch (inner.form) {
    case Form::tensor: return ValueType{sequence ? Form::sequence : Form::optional, inner.element};
    case Form::sequence:
      if (!sequence) return ValueType{Form::optional_sequence, inner.element};
      return std::nullopt;
    case Form::map_from_i64:
      if (sequence) return ValueType{Form::sequence_of_maps_from_i64, inner.element};
      return std::nullopt;
    case Form::map_from_str:
      if (sequence) return ValueType{Form::sequence_of_maps_from_str, inner.element};
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::string element_name(std::optional<int> element) {
  if (!element) return "nothing";
  if (*element < 1 || *element >= static_cast<int>(std::size(facts::kElements)))
    return fmt::format("type {}", *element);
  return std::string(facts::kElements[*element]);
}

std::string to_string(ValueType type) {
  return fmt::format(fmt::runtime(element_at(kForms, type.form)), element_name(type.element));
}

std::string to_string(const facts::TypeSet& types) {
  std::vector<std::string> all;
  for (std::size_t form = 0; form < facts::kForms; ++form)
    for (int element = 1; element < static_cast<int>(std::size(facts::kElements)); ++element)
      if (types.holds(static_cast<Form>(form), element))
        all.push_back(to_string({static_cast<Form>(form), element}));
  constexpr std::size_t kMost = 16;
  if (all.size() > kMost) return fmt::format("one of {} other types", all.size());
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i];
  return text;
}

std::optional<ValueType> value_type(const proto::Type& type) {
  switch (type.kind) {
    case proto::Type::Kind::tensor:
      if (type.element.value_or(0) == 0) return std::nullopt;
      return ValueType{Form::tensor, *type.element};
    case proto::Type::Kind::map: {
      const auto values = type.inner ? value_type(*type.inner) : std::nullopt;
      if (!values || values->form != Form::tensor) return std::nullopt;
      if (type.element == proto::kInt64) return ValueType{Form::map_from_i64, values->element};
      if (type.element == proto::kString) return ValueType{Form::map_from_str, values->element};
      return std::nullopt;
    }
    case proto::Type::Kind::sequence:
    case proto::Type::Kind::optional: {
      const auto inner = type.inner ? value_type(*type.inner) : std::nullopt;
      return inner ? wrapped(type, *inner) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<ValueType> only(const facts::TypeSet& types) {
  std::optional<ValueType> found;
  for (std::size_t form = 0; form < facts::kForms; ++form) {
    const std::uint32_t set = types.elements[form];
    if (set == 0) continue;
    if (found || !std::has_single_bit(set)) return std::nullopt;
    found = ValueType{static_cast<Form>(form), std::countr_zero(set)};
  }
  return found;
}

std::optional<ValueType> Scope::type(std::string_view name) const {
  if (const auto found = names_.find(name); found != names_.end()) return found->second;
  return outer_ ? outer_->type(name) : std::nullopt;
}

}  // namespace cameo::onnx
