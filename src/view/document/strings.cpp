#include "view/document/strings.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"

namespace cameo::view {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// At most `most` bytes, without a part of a code point at the end.
std::string_view prefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues(text[most])) --most;
  return text.substr(0, most);
}

bool plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::string shown(std::string_view text) {
  const std::string_view kept = prefix(text, kLongestText);
  std::string out = plain(kept) ? std::string(kept) : printable(kept);
  if (kept.size() < text.size()) out += fmt::format("… ({} bytes)", text.size());
  return out;
}

std::string shown_lines(std::string_view text) {
  const std::string_view kept = prefix(text, kLongestText);
  std::string out;
  for (std::size_t begin = 0; begin <= kept.size();) {
    const std::size_t end = std::min(kept.find('\n', begin), kept.size());
    if (begin > 0) out += '\n';
    out += shown(kept.substr(begin, end - begin));
    begin = end + 1;
  }
  if (kept.size() < text.size()) out += fmt::format("… ({} bytes)", text.size());
  return out;
}

std::string cut_short(std::string_view printable_text, std::size_t most) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < printable_text.size(); ++i) {
    if (continues(printable_text[i]) || ++points <= most) continue;
    std::size_t end = i;
    do --end;
    while (end > 0 && continues(printable_text[end]));
    return std::string(printable_text.substr(0, end)) + "…";
  }
  return std::string(printable_text);
}

int Strings::intern(std::string text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const int number = static_cast<int>(texts_.size());
  const std::string& kept = texts_.emplace_back(std::move(text));
  numbers_.emplace(kept, number);
  return number;
}

}  // namespace cameo::view
