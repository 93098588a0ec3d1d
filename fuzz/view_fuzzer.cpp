// Shows any bytes as an ONNX model: a page, pictures and data, or an Error, never anything else.
#include "cameo/diagnostic.h"
#include "view/document/build.h"
#include "view/page/page.h"
#include "view/svg/svg.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) try {
  using namespace cameo;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const model::Opened opened(MappedFile::wrap(bytes, "fuzz.onnx"));
  opened.require_graph();
  const view::Document document = view::build({.model = &opened}, {.weights = 1'000'000}).document;
  view::to_html(document);
  view::to_svg(document, {.depth = 99, .only = {}});
  view::to_dot(document, {.depth = 99, .only = {}});
  return 0;
} catch (const cameo::Error&) {
  return 0;
}
