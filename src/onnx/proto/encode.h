#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// A message in protobuf's wire format. Long runs of bytes are views of where the message has them.
class Encoded {
 public:
  void append(std::string_view bytes);
  void append(Bytes bytes);
  void append(const Encoded& other);
  std::uint64_t size() const { return text_.size() + long_bytes_; }

  // Calls `put` with one piece after the other.
  template <class Put>
  void each(Put put) const {
    std::size_t from = 0;
    for (const Long& each : longs_) {
      put(std::as_bytes(std::span(text_).subspan(from, each.at - from)));
      put(each.bytes);
      from = each.at;
    }
    put(std::as_bytes(std::span(text_).subspan(from)));
  }

 private:
  struct Long {
    std::size_t at;  // it stands before this byte of text_
    Bytes bytes;
  };
  std::string text_;
  std::vector<Long> longs_;
  std::uint64_t long_bytes_ = 0;
};

// What to write as the external_data of a tensor instead of what it says; nothing: what it says.
using ExternalEntries = std::vector<std::pair<std::string, std::string>>;
using Relocate = std::function<std::optional<ExternalEntries>(const Tensor&)>;

// The fields of the model in the order of their numbers, lists packed where the standard packs them, then
// what is unknown: the bytes that the official library writes. `relocate` is asked about each tensor whose
// data is external. The result points into what the model points into.
Encoded encode(const Model& model, const Relocate& relocate);

// The same in one piece.
std::string encode(const Model& model);
std::string encode(const SparseTensor& tensor);
std::string encode(const Type& type);

}  // namespace cameo::onnx::proto
