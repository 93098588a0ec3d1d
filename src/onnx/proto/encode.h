#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "onnx/proto/external.h"
#include "onnx/proto/messages.h"

namespace cameo::onnx::proto {

// A message in protobuf's wire format. It refers to long runs of bytes, and to the elements of tensors that
// were made here, without copying them.
class Encoded {
 public:
  std::uint64_t size() const { return text_.size() + elsewhere_; }

  // Calls put(Bytes) or put(const Data&) with one piece after the other.
  template <class Put>
  void each(Put put) const {
    std::size_t from = 0;
    for (const Piece& piece : pieces_) {
      put(std::as_bytes(std::span(text_).subspan(from, piece.at - from)));
      if (piece.elements)
        put(*piece.elements);
      else
        put(piece.bytes);
      from = piece.at;
    }
    put(std::as_bytes(std::span(text_).subspan(from)));
  }

 private:
  friend class Writer;
  // Bytes, or elements, that stand before text_[at].
  struct Piece {
    std::size_t at;
    Bytes bytes;
    const Data* elements = nullptr;
  };
  std::string text_;
  std::vector<Piece> pieces_;
  std::uint64_t elsewhere_ = 0;  // bytes of pieces_
};

// The external_data to write for a tensor whose data is external, or which has `elements`. Nothing: the
// tensor is written as it is.
using Relocate = std::function<std::optional<ExternalEntries>(const Tensor&)>;

// The fields of the model in the order of their numbers, lists packed where the standard packs them, then the
// unknown fields: the bytes that the official library writes. The result points into what the model points
// to.
Encoded encode(const Model& model, const Relocate& relocate);

// The same in one piece, with the elements.
std::string encode(const Model& model);
std::string encode(const SparseTensor& tensor);
std::string encode(const Type& type);

}  // namespace cameo::onnx::proto
