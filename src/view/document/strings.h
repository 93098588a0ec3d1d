#pragma once
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/index.h"

namespace cameo::view {

// Characters of a text that a view keeps.
inline constexpr std::size_t kLongestText = 4000;

// Shows a text on one line: control characters are escaped, and a long text is cut, with its length at the end.
std::string shown(std::string_view text);
// The same with its line breaks.
std::string shown_lines(std::string_view text);

// The first `most` code points, with an ellipsis if there are more.
std::string cut_short(std::string_view printable_text, std::size_t most);

// Each text once, by number. The empty text has the number 0.
class Strings {
 public:
  Strings() { intern({}); }
  // The number of shown(text).
  int add(std::string_view text) { return intern(shown(text)); }
  int add_lines(std::string_view text) { return intern(shown_lines(text)); }

  std::string_view operator[](int number) const { return element_at(texts_, number); }
  const std::deque<std::string>& all() const { return texts_; }

 private:
  int intern(std::string text);

  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, int> numbers_;
};

}  // namespace cameo::view
