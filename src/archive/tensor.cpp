#include "archive/tensor.h"

#include <algorithm>

#include "archive/gather.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::size_t kPlainPiece = std::size_t{1} << 20;
constexpr std::int64_t kMaterialised = std::int64_t{1} << 30;

std::int64_t elements_per_byte(DType dtype) {
  switch (dtype) {
    case DType::qu4x2: return 2;
    case DType::qu2x4: return 4;
    default: return 1;
  }
}

}  // namespace

std::int64_t Tensor::numel() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (std::int64_t dim : shape) count *= dim;
  return count;
}

std::int64_t Tensor::byte_size() const {
  const std::int64_t packing = elements_per_byte(dtype);
  const std::int64_t count = numel();
  if (packing == 1 || count == 0 || shape.empty()) return count * static_cast<std::int64_t>(size_of(dtype));
  return count / shape.back() * ((shape.back() + packing - 1) / packing);
}

bool Tensor::contiguous() const {
  if (layout != Layout::strided) return false;
  if (numel() == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

bool Tensor::plain() const {
  return contiguous() && storage != nullptr && (storage->has_data || numel() == 0) && !negative &&
         !(conjugate && is_complex(dtype)) && !(storage->big_endian && info(dtype).swap() > 1);
}

Bytes Tensor::plain_bytes() const {
  if (!plain()) throw InternalError("plain_bytes() of a tensor that is not plain");
  if (numel() == 0) return {};
  return storage->bytes.subspan(static_cast<std::size_t>(offset) * size_of(dtype),
                                static_cast<std::size_t>(byte_size()));
}

void Tensor::copy_to(const std::function<void(Bytes)>& sink) const {
  if (plain()) {
    for (Bytes rest = plain_bytes(); !rest.empty();) {
      const Bytes piece = rest.first(std::min(rest.size(), kPlainPiece));
      sink(piece);
      if (storage->file) storage->file->release(piece);
      rest = rest.subspan(piece.size());
    }
    return;
  }
  if (layout != Layout::strided || storage == nullptr) {
    throw InternalError("copy_to() of a tensor that is not strided");
  }
  if (!storage->has_data && numel() != 0) {
    throw Error(Diagnostic{.code = Code::meta_tensor,
                           .message = "a tensor of this file has a shape but no data",
                           .record = storage->record,
                           .hint = "save the model with its weights on a real device, not on 'meta'"});
  }
  if (numel() == 0) return;
  gather(*this, sink);
  if (storage->file) storage->file->release(storage->bytes);
}

std::vector<std::byte> Tensor::to_vector() const {
  const std::int64_t size = byte_size();
  if (size > kMaterialised &&
      (storage == nullptr || static_cast<std::uint64_t>(size) > storage->bytes.size())) {
    throw Error(Diagnostic{.code = Code::tensor_too_large,
                           .message = "an expanded tensor of this file is too large to be written out",
                           .record = storage == nullptr ? "" : storage->record,
                           .hint = "expand it in the program instead of saving it expanded"});
  }
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(size));
  copy_to([&](Bytes piece) { out.insert(out.end(), piece.begin(), piece.end()); });
  return out;
}

}  // namespace cameo::archive
