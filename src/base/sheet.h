#pragma once
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/style.h"
#include "base/text.h"

namespace cameo {

// Text that grows line by line, with a column of labels at the left.
class Sheet {
 protected:
  static constexpr std::size_t kLabel = 13;  // columns of the labels

  explicit Sheet(Style style) : style_(style) {}

  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_ += fmt::format(text, std::forward<Args>(args)...);
    out_ += '\n';
  }
  void fact(std::string_view label, std::string_view text) {
    line("  {}{}", style_(Ink::faint, fill(label, kLabel)), text);
  }

  // "2 Conv   1 Relu", in columns.
  void counted(const std::vector<std::pair<std::string, std::int64_t>>& items, std::size_t width) {
    std::size_t digits = 0;
    for (const auto& [name, count] : items) digits = std::max(digits, grouped(count).size());
    std::vector<std::string> cells;
    for (const auto& [name, count] : items)
      cells.push_back(fmt::format("{:>{}} {}", grouped(count), digits, printable(name)));
    out_ += in_columns(cells, width);
  }

  Style style_;
  std::string out_;
};

}  // namespace cameo
