#include "view/document/base64.h"

#include <string_view>

namespace cameo::view {

std::string to_base64(Bytes bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8U | (i + k < bytes.size() ? std::to_integer<unsigned>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k < bytes.size() + 1 ? kDigits[bits >> (18U - 6U * static_cast<unsigned>(k)) & 63U] : '=';
  }
  return text;
}

}  // namespace cameo::view
