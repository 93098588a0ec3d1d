#include "onnx/proto/encode.h"

#include <protozero/pbf_writer.hpp>

#include "onnx/proto/encode_fields.h"

namespace cameo::onnx::proto {
namespace {

// From here on bytes are not worth a copy.
constexpr std::size_t kLong = 4096;

template <class M>
std::string in_one_piece(const M& message) {
  const Relocate nowhere;
  Writer writer(nowhere);
  put(writer, message);
  std::string bytes;
  writer.take().each(
      [&bytes](Bytes piece) { bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return bytes;
}

}  // namespace

void Encoded::append(std::string_view bytes) { text_.append(bytes); }

void Encoded::append(Bytes bytes) {
  if (bytes.size() < kLong) {
    text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  } else {
    longs_.push_back({.at = text_.size(), .bytes = bytes});
    long_bytes_ += bytes.size();
  }
}

void Encoded::append(const Encoded& other) {
  for (const Long& each : other.longs_) longs_.push_back({.at = text_.size() + each.at, .bytes = each.bytes});
  text_ += other.text_;
  long_bytes_ += other.long_bytes_;
}

void Writer::head(std::uint32_t number, std::uint64_t length) {
  std::string bytes;
  protozero::add_varint_to_buffer(&bytes, number << 3U | 2U);
  protozero::add_varint_to_buffer(&bytes, length);
  out_.append(std::string_view(bytes));
}

void Writer::chunk(std::uint32_t number, Bytes bytes) {
  head(number, bytes.size());
  out_.append(bytes);
}

void Writer::integer(std::uint32_t number, std::int64_t value) {
  std::string bytes;
  protozero::pbf_writer(bytes).add_int64(number, value);
  out_.append(std::string_view(bytes));
}

void Writer::single(std::uint32_t number, float value) {
  std::string bytes;
  protozero::pbf_writer(bytes).add_float(number, value);
  out_.append(std::string_view(bytes));
}

void Writer::packed(std::uint32_t number, const Numbers& numbers) {
  if (numbers.pieces.empty()) return;
  std::uint64_t length = 0;
  for (const Bytes piece : numbers.pieces) length += piece.size();
  head(number, length);
  for (const Bytes piece : numbers.pieces) out_.append(piece);
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
