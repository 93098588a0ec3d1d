#include "inspect/value_text.h"

#include <cctype>

#include <fmt/core.h>

#include "base/text.h"
#include "script/print.h"
#include "script/program.h"

namespace cameo::inspect {
namespace {

constexpr int kMostDepth = 4;
constexpr std::size_t kMostItems = 6;
constexpr std::size_t kMostCharacters = 60;

class ValueText {
 public:
  explicit ValueText(int depth) : depth_(depth) {}

  std::string operator()(archive::None) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const archive::Complex& value) const {
    return fmt::format("({}{:+}j)", value.real, value.imag);
  }
  std::string operator()(const archive::String& value) const {
    const bool cut = value.text.size() > kMostCharacters;
    return fmt::format("\"{}{}\"", printable(value.text.substr(0, kMostCharacters)), cut ? "…" : "");
  }
  std::string operator()(const archive::List& list) const { return fmt::format("[{}]", items(list.items)); }
  std::string operator()(const archive::Tuple& tuple) const {
    return fmt::format("({})", items(tuple.items));
  }
  std::string operator()(const archive::Dict& dict) const {
    std::string text;
    for (std::size_t i = 0; i < dict.items.size(); ++i) {
      if (i > 0) text += ", ";
      if (i == kMostItems || depth_ == 0) return fmt::format("{{{}…}}", text);
      text += inner(*dict.items[i].first) + ": " + inner(*dict.items[i].second);
    }
    return fmt::format("{{{}}}", text);
  }
  std::string operator()(const archive::TensorPtr& tensor) const {
    return fmt::format("{}[{}]", name(tensor->dtype), join(tensor->shape, ", "));
  }
  std::string operator()(const archive::Device& device) const { return printable(device.text); }
  std::string operator()(const archive::Object& object) const {
    return printable(script::demangle(qualified_name(object.cls))) + "(…)";
  }
  std::string operator()(const archive::EnumValue& value) const {
    return printable(script::demangle(qualified_name(value.cls))) + "(" +
           (value.value == nullptr || depth_ == 0 ? "…" : inner(*value.value)) + ")";
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return "…";
  }

 private:
  std::string inner(const archive::Value& value) const {
    return std::visit(ValueText(depth_ - 1), value.data);
  }
  std::string items(const std::vector<archive::Ref>& values) const {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ", ";
      if (i == kMostItems || depth_ == 0) return text + "…";
      text += inner(*values[i]);
    }
    return text;
  }

  int depth_;
};

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

}  // namespace

std::string value_text(const archive::Value& value) { return std::visit(ValueText(kMostDepth), value.data); }

std::string type_text(const script::Expr& type) {
  const std::string serialized = script::print(type);
  std::string text;
  for (std::size_t i = 0; i < serialized.size();) {
    std::size_t end = i;
    while (end < serialized.size() && is_part_of_name(serialized[end])) ++end;
    if (end == i) {
      text += serialized[i++];
      continue;
    }
    const std::string_view name = std::string_view(serialized).substr(i, end - i);
    text += name.starts_with("__torch__.") ? script::demangle(name) : std::string(name);
    i = end;
  }
  return printable(text);
}

}  // namespace cameo::inspect
