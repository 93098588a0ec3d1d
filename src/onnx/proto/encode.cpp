#include "onnx/proto/encode.h"

#include <protozero/pbf_writer.hpp>

#include "base/overload.h"
#include "onnx/proto/encode_fields.h"

namespace cameo::onnx::proto {
namespace {

// From this size on bytes are not copied.
constexpr std::size_t kLong = 4096;

void append(std::string& text, Bytes bytes) {
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void append_head(std::string& text, std::uint32_t number, std::uint64_t length) {
  protozero::add_varint_to_buffer(&text, number << 3U | 2U);
  protozero::add_varint_to_buffer(&text, length);
}

template <class M>
std::string in_one_piece(const M& message) {
  const Relocate nowhere;
  Writer writer(nowhere);
  put(writer, message);
  std::string text;
  const auto add = [&text](Bytes bytes) { append(text, bytes); };
  writer.take().each(Overload{add, [&add](const Data& elements) { elements.copy_to(add); }});
  return text;
}

}  // namespace

void Writer::append(Bytes bytes) {
  if (bytes.size() < kLong) return proto::append(out_.text_, bytes);
  out_.pieces_.push_back({.at = out_.text_.size(), .bytes = bytes});
  out_.elsewhere_ += bytes.size();
}

void Writer::head(std::uint32_t number, std::uint64_t length) { append_head(out_.text_, number, length); }

void Writer::insert_head(std::uint32_t number, const Begin& begin) {
  std::string bytes;
  append_head(bytes, number, out_.size() - begin.size);
  out_.text_.insert(begin.text, bytes);
  for (std::size_t i = begin.pieces; i < out_.pieces_.size(); ++i) out_.pieces_[i].at += bytes.size();
}

void Writer::chunk(std::uint32_t number, Bytes bytes) {
  head(number, bytes.size());
  append(bytes);
}

void Writer::elements(std::uint32_t number, const Data& data) {
  head(number, data.byte_size());
  out_.pieces_.push_back({.at = out_.text_.size(), .bytes = {}, .elements = &data});
  out_.elsewhere_ += data.byte_size();
}

void Writer::integer(std::uint32_t number, std::int64_t value) {
  protozero::pbf_writer(out_.text_).add_int64(number, value);
}

void Writer::single(std::uint32_t number, float value) {
  protozero::pbf_writer(out_.text_).add_float(number, value);
}

void Writer::packed(std::uint32_t number, const Numbers& numbers) {
  if (numbers.pieces.empty()) return;
  std::uint64_t length = 0;
  for (const Bytes piece : numbers.pieces) length += piece.size();
  head(number, length);
  for (const Bytes piece : numbers.pieces) append(piece);
}

Encoded encode(const Model& model, const Relocate& relocate) {
  Writer writer(relocate);
  put(writer, model);
  return writer.take();
}

std::string encode(const Model& model) { return in_one_piece(model); }
std::string encode(const SparseTensor& tensor) { return in_one_piece(tensor); }
std::string encode(const Type& type) { return in_one_piece(type); }

}  // namespace cameo::onnx::proto
