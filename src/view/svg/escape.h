#pragma once
#include <string>
#include <string_view>

namespace cameo::view {

// Text for HTML and XML, in elements and in quoted attributes. `text` is printable. XML forbids U+FFFE and U+FFFF.
inline std::string escape_xml(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (const std::string_view point = text.substr(i, 3); point == "\xEF\xBF\xBE" || point == "\xEF\xBF\xBF") {
      out += "\xEF\xBF\xBD";
      i += 2;
      continue;
    }
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace cameo::view
