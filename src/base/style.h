#pragma once
// Small means of laying out text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cameo {

enum class Ink { plain, title, name, type, number, faint, warning, keyword, literal };

class Style {
 public:
  Style(bool color, bool lines) : color_(color), lines_(lines) {}
  std::string operator()(Ink ink, std::string_view text) const;
  bool lines() const { return lines_; }  // whether UTF-8 drawings are welcome

 private:
  bool color_, lines_;
};

std::string grouped(std::int64_t number);                       // "11,689,512"
std::string bytes_text(std::uint64_t bytes);                    // "46.8 MB"
std::string plural(std::int64_t count, std::string_view noun);  // "1 module", "2,000 modules"

// Printable text cut or filled to `width` columns.
std::string cut(std::string_view printable_text, std::size_t width);
std::string fill(std::string_view printable_text, std::size_t width);

// The cells below one another in as many columns as fit, each line indented by two.
std::string in_columns(const std::vector<std::string>& printable_cells, std::size_t width);

}  // namespace cameo
