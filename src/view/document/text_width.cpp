#include "view/document/text_width.h"

#include <array>
#include <cstddef>

namespace cameo::view {
namespace {

// Advance widths of Helvetica, from the space on, per 1000.
constexpr std::array<int, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
constexpr int kOther = 600, kWide = 1000;  // letters of Europe; East Asian characters

}  // namespace

int text_width(std::string_view printable_text, int font_size) {
  int sum = 0;
  for (const char c : printable_text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F)
      sum += kWidths[byte - 0x20U];
    else if (byte >= 0xE0)
      sum += kWide;
    else if (byte >= 0xC0)
      sum += kOther;
  }
  return (sum * font_size + 999) / 1000;
}

}  // namespace cameo::view
