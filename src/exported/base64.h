#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace cameo::exported {

// The bytes of base64 text with padding, as Python writes it. Absent: it is not base64.
std::optional<std::vector<std::byte>> decode_base64(std::string_view text);

}  // namespace cameo::exported
