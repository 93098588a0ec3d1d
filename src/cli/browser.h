#pragma once
#include <string>
#include <vector>

#include "cameo/view.h"

namespace cameo::cli {

// Writes the page of `cameo view`. Throws Error if the extension of `path` is not .html, and as render_view() does.
void write_page(const std::string& path, const std::vector<std::string>& files, const ViewOptions& options);

// Opens a file in the user's browser, if there is one. The command does not wait for it.
void open_in_browser(const std::string& path);

// Draws an SVG picture with Chromium or Chrome. Throws Error if there is none or it fails.
void draw_png(const std::string& svg, const std::string& path);

}  // namespace cameo::cli
