#pragma once
#include <string>

namespace cameo::cli {

// Opens a file in the user's browser, if there is one. The command does not wait for it.
void open_in_browser(const std::string& path);

// Draws an SVG picture with Chromium or Chrome. Throws Error if there is none or it fails.
void draw_png(const std::string& svg, const std::string& path);

}  // namespace cameo::cli
