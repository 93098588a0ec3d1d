#pragma once
#include <string_view>

namespace cameo::view {

// The width of a text in the sans-serif face of the drawings, in pixels.
int text_width(std::string_view printable_text, int font_size);

// The sizes of the two lines of a box.
inline constexpr int kTitleSize = 13, kCaptionSize = 11;

}  // namespace cameo::view
