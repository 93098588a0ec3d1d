#include "inspect/code_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>

#include "base/style.h"
#include "base/text.h"

namespace cameo::inspect {
namespace {

constexpr std::size_t kMostPython = 300;  // characters of one line of Python

constexpr std::array<std::string_view, 19> kKeywords = {
    "class", "def",   "return", "if",   "else", "for",   "while", "in", "pass", "with",
    "as",    "raise", "break",  "None", "True", "False", "and",   "or", "not"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Ink ink_of(std::string_view word) {
  if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) return Ink::keyword;
  return std::isdigit(static_cast<unsigned char>(word.front())) != 0 ? Ink::number : Ink::plain;
}

// Length of the token that `text`, not empty, begins with: a string, a word, a number or one character.
std::size_t token_length(std::string_view text) {
  if (text.front() == '"') {
    std::size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return std::max<std::size_t>(end, 1);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - std::min(first, text.size()));
}

std::string place(const Position& at) {
  const std::string file = at.file.empty() ? "<unknown>" : at.file.substr(at.file.find_last_of("/\\") + 1);
  return printable(at.line > 0 ? fmt::format("{}:{}", file, at.line) : file);
}

std::string remark(const Position& at) {
  if (!at.text.empty()) return printable(trimmed(at.text).substr(0, kMostPython));
  return at.function.empty() ? "" : "in " + printable(at.function);
}

std::string two_columns(const Listing& listing, std::size_t width, const Style& style) {
  std::size_t longest = 0;
  for (const CodeLine& line : listing.lines) longest = std::max(longest, display_width(printable(line.text)));
  const std::size_t left = std::min(longest, width * 11 / 20);
  const std::size_t right = width - left - 3;
  std::string text;
  for (const CodeLine& line : listing.lines) {
    text += highlighted(fill(printable(line.text), left), style) + style(Ink::faint, " │ ");
    if (!line.python.empty()) {
      const Position& at = own_frame(line.python);
      const std::string where = cut(place(at), right);
      const std::size_t room = right - display_width(where);
      text += style(Ink::faint, where);
      if (room > 4) text += "  " + style(Ink::type, cut(remark(at), room - 2));
    } else if (line.same_python) {
      text += style(Ink::faint, "·");
    }
    text += "\n";
  }
  return text;
}

std::string interleaved(const Listing& listing, const Style& style) {
  std::string text;
  for (const CodeLine& line : listing.lines)
    text += python_comment(line, style) + highlighted(printable(line.text), style) + "\n";
  return text;
}

}  // namespace

std::string highlighted(std::string_view code, const Style& style) {
  std::string text;
  while (!code.empty()) {
    const std::string_view token = code.substr(0, token_length(code));
    text += style(token.front() == '"' ? Ink::literal : ink_of(token), token);
    code.remove_prefix(token.size());
  }
  return text;
}

std::string heading(const Listing& listing, const Style& style) {
  const int line = listing.lines.empty() ? 1 : listing.lines.front().number;
  return fmt::format("{}  {}\n", style(Ink::title, printable(listing.title)),
                     style(Ink::faint, printable(fmt::format("{}:{}", listing.file, line))));
}

std::string python_comment(const CodeLine& line, const Style& style) {
  if (line.python.empty()) return {};
  const Position& at = own_frame(line.python);
  const std::string said = remark(at);
  return std::string(std::min(line.text.find_first_not_of(' '), line.text.size()), ' ') +
         style(Ink::faint, fmt::format("# {}{}{}", place(at), said.empty() ? "" : "  ", said)) + "\n";
}

std::string to_text(const SourceCode& code, const TextOptions& options) {
  const Style style(options.color, options.lines);
  const std::size_t width = options.width;
  std::string text;
  for (const Listing& listing : code.listings) {
    if (!text.empty()) text += "\n";
    text += heading(listing, style);
    text +=
        options.lines && width >= kWide ? two_columns(listing, width, style) : interleaved(listing, style);
  }
  return text;
}

}  // namespace cameo::inspect
