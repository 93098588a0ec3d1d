#include "onnx/proto/read.h"

#include <algorithm>

#include <fmt/core.h>
#include <protozero/exception.hpp>

#include "cameo/diagnostic.h"
#include "onnx/proto/fields.h"

namespace cameo::onnx::proto {

void add_one(Numbers& to, pbf_reader& in) {
  const char* begin = in.data().data();
  in.skip();
  to.pieces.push_back(std::as_bytes(std::span(begin, in.data().data())));
  ++to.count;
}

void add_packed(Numbers& to, pbf_reader& in, Width width) {
  const Bytes piece = bytes(in);
  if (piece.empty()) return;
  if (width == Width::varint) {
    const auto ends = [](std::byte b) { return (b & std::byte{0x80}) == std::byte{}; };
    if (!ends(piece.back())) throw protozero::end_of_buffer_exception();
    to.count += static_cast<std::size_t>(std::ranges::count_if(piece, ends));
  } else {
    const std::size_t size = width == Width::four ? 4 : 8;
    if (piece.size() % size != 0) throw protozero::invalid_length_exception();
    to.count += piece.size() / size;
  }
  to.pieces.push_back(piece);
}

void Reader::too_deep(const char* at) const {
  throw Error(
      Diagnostic{.code = Code::nested_too_deeply,
                 .message = fmt::format("messages are nested more than {} deep", kDeepest),
                 .file = file_,
                 .offset = at - reinterpret_cast<const char*>(bytes_.data()),
                 .hint = "protobuf, and with it every other reader of ONNX, takes no deeper nesting"});
}

void Reader::broken(const char* message, const char* what, const char* at) const {
  throw Error(
      Diagnostic{.code = Code::not_onnx,
                 .message = fmt::format("this is not an ONNX file, or it is damaged: {} ({})", message, what),
                 .file = file_,
                 .offset = at - reinterpret_cast<const char*>(bytes_.data()),
                 .hint = "was it cut off while it was copied?"});
}

Model read(Bytes bytes, const std::string& file) {
  Model model;
  Reader(bytes, file).read(model, bytes);
  return model;
}

}  // namespace cameo::onnx::proto
