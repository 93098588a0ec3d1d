#include "eval/builtins/text.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

namespace cameo::eval {
namespace {

std::string float_text(double d) {
  if (std::isnan(d)) return "nan";
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", d);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string joined(const std::vector<Value>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string* text = items[i].get_if<std::string>();
    out += (i ? ", " : "") + (text ? fmt::format("'{}'", *text) : text_of(items[i]));
  }
  return out;
}

}  // namespace

std::string text_of(const Value& value) {
  if (value.is_none()) return "None";
  if (const bool* b = value.get_if<bool>()) return *b ? "True" : "False";
  if (const Dim* dim = value.get_if<Dim>()) return to_string(*dim);
  if (const double* d = value.get_if<double>()) return float_text(*d);
  if (const std::string* text = value.get_if<std::string>()) return *text;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>())
    return fmt::format("({}{})", joined((*tuple)->items), (*tuple)->items.size() == 1 ? "," : "");
  if (const ListPtr* list = value.get_if<ListPtr>(); list && !(*list)->sequence)
    return fmt::format("[{}]", joined((*list)->items));
  if (const DictPtr* dict = value.get_if<DictPtr>()) {
    std::string out;
    for (const auto& [key, item] : (*dict)->items)
      out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", joined({key}), joined({item}));
    return fmt::format("{{{}}}", out);
  }
  if (const Device* device = value.get_if<Device>()) return device->name;
  return "?";
}

std::string formatted(const Value& value, std::string_view flags, char conversion) {
  if (flags.size() > 16) return text_of(value);
  const std::string spec = fmt::format("%{}", flags);
  char buffer[512];
  const double* d = value.get_if<double>();
  const Dim* dim = value.get_if<Dim>();
  const std::optional<std::int64_t> n = dim ? dim->as_constant() : std::nullopt;
  int written = -1;
  switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
      if (n)
        written = std::snprintf(buffer, sizeof buffer, (spec + "ld").c_str(), static_cast<long>(*n));
      else if (d)
        written = std::snprintf(buffer, sizeof buffer, (spec + "ld").c_str(), static_cast<long>(*d));
      break;
    case 'x':
    case 'X':
    case 'o':
      if (n)
        written = std::snprintf(buffer, sizeof buffer, (spec + "l" + conversion).c_str(),
                                static_cast<unsigned long>(*n));
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (d || n)
        written = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(),
                                d ? *d : static_cast<double>(*n));
      break;
    default: break;
  }
  return written >= 0 && written < static_cast<int>(sizeof buffer) ? std::string(buffer) : text_of(value);
}

}  // namespace cameo::eval
