#pragma once
#include <string_view>

namespace cameo::target {

extern const std::string_view kText;  // of targets.txt

}  // namespace cameo::target
