#include "model/print/python_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace cameo::model {

std::vector<std::string_view> characters(std::string_view utf8) {
  std::vector<std::string_view> found;
  while (!utf8.empty()) {
    const auto first = static_cast<unsigned char>(utf8.front());
    const std::size_t size = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    const std::string_view character = utf8.substr(0, size);
    const bool valid = character.size() == size && (size == 1 || (first >= 0xC2 && first <= 0xF4)) &&
                       std::all_of(character.begin() + 1, character.end(),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
    if (valid) found.push_back(character);
    utf8.remove_prefix(valid ? size : 1);
  }
  return found;
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

std::string python_string(const std::vector<std::string_view>& characters) {
  const auto has = [&](std::string_view c) { return std::ranges::find(characters, c) != characters.end(); };
  const std::string_view quote = has("'") && !has("\"") ? "\"" : "'";
  std::string text(quote);
  for (const std::string_view character : characters) {
    const auto first = static_cast<unsigned char>(character.front());
    if (character == quote || character == "\\")
      text.append("\\").append(character);
    else if (character == "\n")
      text += "\\n";
    else if (character == "\r")
      text += "\\r";
    else if (character == "\t")
      text += "\\t";
    else if (first < 0x20 || first == 0x7F)
      text += fmt::format("\\x{:02x}", first);
    else
      text += character;
  }
  return text.append(quote);
}

}  // namespace cameo::model
