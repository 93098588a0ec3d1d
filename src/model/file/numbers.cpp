#include "model/file/numbers.h"

#include <cstring>

#include <fmt/core.h>
#include <protozero/varint.hpp>

#include "cameo/diagnostic.h"

namespace cameo::model {
namespace {

using onnx::proto::Numbers;

template <class T>
std::vector<T> fixed(const Numbers& numbers) {
  std::vector<T> out(numbers.count);
  auto* to = reinterpret_cast<char*>(out.data());
  for (const Bytes piece : numbers.pieces) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  }
  return out;
}

template <class T>
std::vector<T> varints(const Numbers& numbers) {
  std::vector<T> out;
  out.reserve(numbers.count);
  for (const Bytes piece : numbers.pieces) {
    const char* at = reinterpret_cast<const char*>(piece.data());
    const char* end = at + piece.size();
    try {
      while (at != end) out.push_back(static_cast<T>(protozero::decode_varint(&at, end)));
    } catch (const protozero::exception& error) {
      throw Error(
          Diagnostic{.code = Code::damaged_onnx,
                     .message = fmt::format("a number of a tensor cannot be read: {}", error.what())});
    }
  }
  return out;
}

}  // namespace

std::vector<float> floats(const Numbers& numbers) { return fixed<float>(numbers); }
std::vector<double> doubles(const Numbers& numbers) { return fixed<double>(numbers); }
std::vector<std::int64_t> integers(const Numbers& numbers) { return varints<std::int64_t>(numbers); }
std::vector<std::uint64_t> unsigned_integers(const Numbers& numbers) {
  return varints<std::uint64_t>(numbers);
}

}  // namespace cameo::model
