#pragma once
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "inspect/style.h"

namespace cameo::inspect {

// Text that grows line by line, with a column of labels at the left.
class Sheet {
 protected:
  static constexpr std::size_t kLabel = 13;  // columns of the labels

  explicit Sheet(Style style) : style_(style) {}

  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
    out_ += '\n';
  }
  void fact(std::string_view label, std::string_view text) {
    line("  {}{}", style_(Ink::faint, fill(label, kLabel)), text);
  }

  Style style_;
  std::string out_;
};

}  // namespace cameo::inspect
