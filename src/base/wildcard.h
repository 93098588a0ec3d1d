#pragma once
#include <string_view>

namespace cameo {

// Whether a text matches a pattern in which * stands for any characters and ? for one.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace cameo
