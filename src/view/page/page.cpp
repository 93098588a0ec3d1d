#include "view/page/page.h"

#include <zlib.h>

#include "cameo/diagnostic.h"
#include "view/document/base64.h"
#include "view/page/template.h"
#include "view/svg/escape.h"

namespace cameo::view {
namespace {

constexpr std::string_view kTitle = "%CAMEO_TITLE%", kData = "%CAMEO_DATA%";
constexpr int kLevel = 6;  // of compression: the higher ones take longer and gain little

std::string compressed(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string out(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                               static_cast<uLong>(text.size()), kLevel);
  if (result != Z_OK) throw InternalError("zlib cannot compress the data of the page");
  out.resize(size);
  return out;
}

}  // namespace

std::string to_html(const Document& document) {
  const std::size_t title = kTemplate.find(kTitle), data = kTemplate.find(kData);
  if (title == kTemplate.npos || data == kTemplate.npos || data < title)
    throw InternalError("the template of the page lacks a placeholder");
  const std::string packed = compressed(to_json(document));
  std::string page(kTemplate.substr(0, title));
  page += escape_xml(document.title);
  page += kTemplate.substr(title + kTitle.size(), data - title - kTitle.size());
  page += to_base64(std::as_bytes(std::span(packed)));
  page += kTemplate.substr(data + kData.size());
  return page;
}

}  // namespace cameo::view
