#include "archive/gather.h"

#include <algorithm>
#include <cstring>

#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::int64_t kBuffer = std::int64_t{1} << 20;
constexpr std::int64_t kLargeBuffer = std::int64_t{4}
                                      << 20;  // what is larger than kResident is read less often
constexpr std::int64_t kResident = std::int64_t{16} << 20;  // of the mapping that is read from

// A part of a tensor along its last two dimensions; strides in bytes.
struct Block {
  const std::byte* from;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
};

// Four columns of four elements become four rows.
void transpose_4_by_4(std::byte* to, std::int64_t row_size, const std::byte* from,
                      std::int64_t column_stride) {
  using Four = std::uint32_t __attribute__((vector_size(16)));
  Four columns[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&columns[i], from + i * column_stride, sizeof(Four));
  const auto& [a, b, c, d] = columns;
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Four rows[4] = {
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
      __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5), __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) std::memcpy(to + i * row_size, &rows[i], sizeof(Four));
}

struct Tile {
  std::int64_t top, bottom, left, right;
};

template <std::size_t size>
void copy_tile(std::byte* to, const Block& block, std::int64_t row_size, Tile tile) {
  constexpr auto kSize = static_cast<std::int64_t>(size);
  const auto target = [&](std::int64_t row, std::int64_t column) {
    return to + row * row_size + column * kSize;
  };
  const auto source = [&](std::int64_t row, std::int64_t column) {
    return block.from + row * block.row_stride + column * block.column_stride;
  };
  if (size == 4 && block.row_stride == kSize) {
    const std::int64_t bottom = tile.bottom - (tile.bottom - tile.top) % 4;
    const std::int64_t right = tile.right - (tile.right - tile.left) % 4;
    for (std::int64_t row = tile.top; row < bottom; row += 4)
      for (std::int64_t column = tile.left; column < right; column += 4)
        transpose_4_by_4(target(row, column), row_size, source(row, column), block.column_stride);
    for (std::int64_t row = tile.top; row < bottom; ++row)
      for (std::int64_t column = right; column < tile.right; ++column)
        std::memcpy(target(row, column), source(row, column), size);
    tile.top = bottom;
  }
  for (std::int64_t row = tile.top; row < tile.bottom; ++row)
    for (std::int64_t column = tile.left; column < tile.right; ++column)
      std::memcpy(target(row, column), source(row, column), size);
}

template <std::size_t size>
void copy_rows(std::byte* to, const Block& block, std::int64_t row_size) {
  constexpr auto kSize = static_cast<std::int64_t>(size);
  // Where neighbours in memory lie one below the other, cache lines are used up before others are fetched.
  const bool across = block.row_stride < block.column_stride;
  const std::int64_t rows = across ? 256 / kSize : 1, columns = across ? 16 : block.columns;
  for (std::int64_t top = 0; top < block.rows; top += rows)
    for (std::int64_t left = 0; left < block.columns; left += columns)
      copy_tile<size>(to, block, row_size,
                      {top, std::min(block.rows, top + rows), left, std::min(block.columns, left + columns)});
}

void copy_block(std::byte* to, const Block& block, std::int64_t row_size, std::size_t size) {
  switch (size) {
    case 1: return copy_rows<1>(to, block, row_size);
    case 2: return copy_rows<2>(to, block, row_size);
    case 4: return copy_rows<4>(to, block, row_size);
    case 8: return copy_rows<8>(to, block, row_size);
    case 16: return copy_rows<16>(to, block, row_size);
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

// Walks the elements in order of their indices, as many rows of the last dimension at a time as the buffer
// takes.
class Gather {
 public:
  Gather(const Tensor& tensor, const std::function<void(Bytes)>& sink)
      : tensor_(tensor), sink_(sink), size_(static_cast<std::int64_t>(size_of(tensor.dtype))) {
    const std::size_t rank = tensor.shape.size();
    if (rank > 0) columns_ = tensor.shape[rank - 1], column_stride_ = tensor.strides[rank - 1] * size_;
    if (rank > 1) rows_ = tensor.shape[rank - 2], row_stride_ = tensor.strides[rank - 2] * size_;
    const std::int64_t bytes = tensor.numel() * size_;
    capacity_ = static_cast<std::size_t>(std::min(bytes, bytes > kResident ? kLargeBuffer : kBuffer));
    buffer_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
  }

  void run() {
    const std::size_t outer = std::max<std::size_t>(tensor_.shape.size(), 2) - 2;
    std::vector<std::int64_t> index(outer, 0);
    std::int64_t start = tensor_.offset;
    for (std::int64_t matrices = tensor_.numel() / (rows_ * columns_); matrices > 0; --matrices) {
      matrix(tensor_.storage->bytes.data() + start * size_);
      for (std::size_t d = outer; d-- > 0;) {
        start += tensor_.strides[d];
        if (++index[d] < tensor_.shape[d]) break;
        start -= tensor_.strides[d] * tensor_.shape[d];
        index[d] = 0;
      }
    }
    flush();
  }

 private:
  void matrix(const std::byte* from) {
    for (std::int64_t row = 0; row < rows_;) {
      if (room() < columns_) flush();
      const std::int64_t count = std::min(rows_ - row, std::max<std::int64_t>(1, room() / columns_));
      for (std::int64_t column = 0; column < columns_;) {
        if (room() == 0) flush();
        const std::int64_t width = std::min(columns_ - column, room() / count);
        block(
            {from + row * row_stride_ + column * column_stride_, count, width, row_stride_, column_stride_});
        column += width;
      }
      row += count;
    }
  }

  void block(Block block) {
    const std::int64_t row_size = block.columns * size_;
    std::byte* to = buffer_.get() + filled_;
    filled_ += static_cast<std::size_t>(block.rows * row_size);
    const std::int64_t all = block.columns;
    const std::int64_t step = std::max<std::int64_t>(1, kResident / std::max(block.column_stride, size_));
    for (std::int64_t done = 0; done < all; done += step) {
      block.columns = std::min(step, all - done);
      copy_block(to + done * size_, block, row_size, static_cast<std::size_t>(size_));
      touched_ += release(block);
      block.from += block.columns * block.column_stride;
    }
  }

  // Lets go of what was read, now and then.
  std::int64_t release(const Block& block) {
    const std::int64_t extent =
        (block.rows - 1) * block.row_stride + (block.columns - 1) * block.column_stride + size_;
    if (!tensor_.storage->file || touched_ + extent < kResident) return extent;
    tensor_.storage->file->release(tensor_.storage->bytes);
    return -touched_;
  }

  std::int64_t room() const { return static_cast<std::int64_t>(capacity_ - filled_) / size_; }

  void flush() {
    finish_elements(tensor_, std::span(buffer_.get(), filled_));
    if (filled_ > 0) sink_(Bytes(buffer_.get(), filled_));
    filled_ = 0;
  }

  const Tensor& tensor_;
  const std::function<void(Bytes)>& sink_;
  std::int64_t size_;
  std::int64_t rows_ = 1, columns_ = 1, row_stride_ = 0, column_stride_ = 0;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0, filled_ = 0;
  std::int64_t touched_ = 0;
};

}  // namespace

void gather(const Tensor& tensor, const std::function<void(Bytes)>& sink) { Gather(tensor, sink).run(); }

}  // namespace cameo::archive
