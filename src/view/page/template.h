#pragma once
#include <string_view>

namespace cameo::view {

// The page of web/, built by web/bundle, with its two placeholders. In a build without esbuild it is
// placeholder.html, which shows nothing.
extern const std::string_view kTemplate;

}  // namespace cameo::view
