#include "archive/tensor.h"

#include <algorithm>
#include <cstring>

#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::size_t kGatherBytes = std::size_t{64} << 10;
constexpr std::size_t kPlainPiece = std::size_t{1} << 20;
constexpr std::int64_t kMaterialised = std::int64_t{1} << 30;

std::int64_t elements_per_byte(DType dtype) {
  switch (dtype) {
    case DType::qu4x2: return 2;
    case DType::qu2x4: return 4;
    default: return 1;
  }
}

template <std::size_t size>
void copy_elements(std::byte* to, const std::byte* from, std::int64_t count, std::int64_t stride) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * static_cast<std::int64_t>(size), from + i * stride, size);
  }
}

void copy_strided(std::byte* to, const std::byte* from, std::int64_t count, std::int64_t stride,
                  std::size_t size) {
  switch (size) {
    case 1: return copy_elements<1>(to, from, count, stride);
    case 2: return copy_elements<2>(to, from, count, stride);
    case 4: return copy_elements<4>(to, from, count, stride);
    case 8: return copy_elements<8>(to, from, count, stride);
    case 16: return copy_elements<16>(to, from, count, stride);
    default: throw InternalError("an element of unknown size");
  }
}

void swap_bytes(std::span<std::byte> bytes, std::size_t unit) {
  for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at + unit));
  }
}

// The sign is the top bit of each little-endian component.
void flip_signs(std::span<std::byte> bytes, std::size_t first, std::size_t step) {
  for (std::size_t at = first; at < bytes.size(); at += step) bytes[at] ^= std::byte{0x80};
}

void finish_elements(const Tensor& tensor, std::span<std::byte> bytes) {
  const DTypeInfo& dtype = info(tensor.dtype);
  if (tensor.storage->big_endian) swap_bytes(bytes, dtype.swap);
  if (is_complex(tensor.dtype)) {
    if (tensor.negative) flip_signs(bytes, dtype.swap - 1, dtype.size);
    if (tensor.negative != tensor.conjugate) flip_signs(bytes, dtype.size - 1, dtype.size);
  } else if (tensor.negative) {
    flip_signs(bytes, dtype.size - 1, dtype.size);
  }
}

// Walks the elements in order of their indices, a run along the last dimension at a time.
void gather(const Tensor& tensor, const std::function<void(Bytes)>& sink) {
  const std::size_t size = size_of(tensor.dtype);
  const auto width = static_cast<std::int64_t>(size);
  const std::size_t rank = tensor.shape.size();
  const std::int64_t row = rank == 0 ? 1 : tensor.shape.back();
  const std::int64_t stride = rank == 0 ? 1 : tensor.strides.back();
  const std::int64_t rows = tensor.numel() / row;
  std::vector<std::int64_t> index(rank, 0);
  std::vector<std::byte> buffer(kGatherBytes);
  std::size_t filled = 0;
  const auto flush = [&] {
    finish_elements(tensor, std::span(buffer).first(filled));
    sink(Bytes(buffer).first(filled));
    filled = 0;
  };
  std::int64_t start = tensor.offset;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t done = 0; done < row;) {
      const std::int64_t room = static_cast<std::int64_t>((buffer.size() - filled) / size);
      const std::int64_t count = std::min(row - done, room);
      copy_strided(buffer.data() + filled, tensor.storage->bytes.data() + (start + done * stride) * width,
                   count, stride * width, size);
      filled += static_cast<std::size_t>(count) * size;
      done += count;
      if (buffer.size() - filled < size) flush();
    }
    for (std::size_t d = rank > 0 ? rank - 1 : 0; d-- > 0;) {
      start += tensor.strides[d];
      if (++index[d] < tensor.shape[d]) break;
      start -= tensor.strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
  if (filled > 0) flush();
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
         !(conjugate && is_complex(dtype)) && !(storage->big_endian && info(dtype).swap > 1);
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
      rest = rest.subspan(piece.size());
    }
    return;
  }
  if (layout != Layout::strided || storage == nullptr) {
    throw InternalError("copy_to() of a tensor that is not strided");
  }
  if (!storage->has_data && numel() != 0) {
    throw Error(Diagnostic{.code = "tensor-without-data",
                           .message = "a tensor of this file has a shape but no data",
                           .record = storage->record,
                           .hint = "save the model with its weights on a real device, not on 'meta'"});
  }
  if (numel() != 0) gather(*this, sink);
}

std::vector<std::byte> Tensor::to_vector() const {
  const std::int64_t size = byte_size();
  if (size > kMaterialised &&
      (storage == nullptr || static_cast<std::uint64_t>(size) > storage->bytes.size())) {
    throw Error(Diagnostic{.code = "tensor-too-large",
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
