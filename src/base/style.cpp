#include "base/style.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/text.h"

namespace cameo {
namespace {

constexpr std::size_t kGap = 3;  // between columns

std::string_view escape(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::title:
    case Ink::name: return "1";
    case Ink::type: return "36";
    case Ink::number: return "33";
    case Ink::faint: return "2";
    case Ink::warning: return "1;35";
    case Ink::keyword: return "35";
    case Ink::literal: return "32";
  }
  return "";
}

}  // namespace

std::string Style::operator()(Ink ink, std::string_view text) const {
  if (!color_ || ink == Ink::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", escape(ink), text);
}

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string cut(std::string_view printable_text, std::size_t width) {
  if (display_width(printable_text) <= width) return std::string(printable_text);
  std::size_t columns = 0;
  std::size_t end = 0;
  for (; end < printable_text.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(printable_text[end]) & 0xC0U) != 0x80U;
    if (starts && ++columns >= width) break;
  }
  return std::string(printable_text.substr(0, end)) + (width > 0 ? "…" : "");
}

std::string fill(std::string_view printable_text, std::size_t width) {
  std::string text = cut(printable_text, width);
  text.append(width - display_width(text), ' ');
  return text;
}

std::string in_columns(const std::vector<std::string>& printable_cells, std::size_t width) {
  constexpr std::size_t kMostColumns = 8;
  std::vector<std::size_t> widths;
  std::size_t rows = printable_cells.size();
  for (std::size_t columns = std::min(kMostColumns, printable_cells.size()); columns > 0; --columns) {
    rows = (printable_cells.size() + columns - 1) / columns;
    widths.assign(columns, 0);
    for (std::size_t i = 0; i < printable_cells.size(); ++i) {
      widths[i / rows] = std::max(widths[i / rows], display_width(printable_cells[i]));
    }
    std::size_t total = 2;
    for (const std::size_t each : widths) total += each + kGap;
    if (total <= width + kGap) break;
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line = "  ";
    for (std::size_t i = row; i < printable_cells.size(); i += rows) {
      line += fill(printable_cells[i], widths[i / rows] + kGap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace cameo
