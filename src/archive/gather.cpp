#include "archive/gather.h"

#include <algorithm>
#include <cstring>

#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

constexpr std::int64_t kBuffer = std::int64_t{1} << 20;
constexpr std::int64_t kLargeBuffer = std::int64_t{4}
                                      << 20;  // what is larger than kResident is read less often
constexpr std::int64_t kResident = std::int64_t{12} << 20;  // of the mapping that is read from

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
  const auto column = [&](std::int64_t i) {
    Four four;
    std::memcpy(&four, from + i * column_stride, sizeof(Four));
    return four;
  };
  const auto put_row = [&](std::int64_t i, Four four) {
    std::memcpy(to + i * row_size, &four, sizeof(Four));
  };
  const Four a = column(0), b = column(1), c = column(2), d = column(3);
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  put_row(0, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  put_row(1, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  put_row(2, __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
  put_row(3, __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
}

template <std::size_t size>
void copy_elements(std::byte* to, std::int64_t row_size, Block block) {
  for (std::int64_t row = 0; row < block.rows; ++row)
    for (std::int64_t column = 0; column < block.columns; ++column)
      std::memcpy(to + row * row_size + column * static_cast<std::int64_t>(size),
                  block.from + row * block.row_stride + column * block.column_stride, size);
}

// The same where neighbours in memory lie one below the other.
template <std::size_t size>
void turn_elements(std::byte* to, std::int64_t row_size, Block block) {
  if constexpr (size == 4) {
    const std::int64_t right = block.columns - block.columns % 4;
    for (; block.rows >= 4; block.rows -= 4) {
      for (std::int64_t column = 0; column < right; column += 4)
        transpose_4_by_4(to + column * 4, row_size, block.from + column * block.column_stride,
                         block.column_stride);
      copy_elements<4>(
          to + right * 4, row_size,
          {block.from + right * block.column_stride, 4, block.columns - right, 4, block.column_stride});
      to += 4 * row_size;
      block.from += 16;
    }
  }
  copy_elements<size>(to, row_size, block);
}

// A cache line at a time, of which the processor fetches several at once.
void copy_column(std::byte* to, const std::byte* from, std::int64_t length) {
  constexpr std::int64_t kLine = 64;
  for (; length >= kLine; length -= kLine) {
    std::memcpy(to, from, kLine);
    to += kLine;
    from += kLine;
  }
  std::memcpy(to, from, static_cast<std::size_t>(length));
}

// A tile at a time: its columns are read one after the other, each as a whole, and turned within the cache.
template <std::size_t size>
void turn(std::byte* to, std::int64_t row_size, const Block& block) {
  constexpr auto kSize = static_cast<std::int64_t>(size);
  constexpr std::int64_t kHeight = 512, kRows = kHeight / kSize, kColumns = 32;
  constexpr std::int64_t kStride = kHeight + 64;  // not a power of two: columns have cache lines of their own
  alignas(64) std::byte tile[kColumns * kStride];
  for (std::int64_t top = 0; top < block.rows; top += kRows) {
    const std::int64_t rows = std::min(kRows, block.rows - top);
    for (std::int64_t left = 0; left < block.columns; left += kColumns) {
      const std::int64_t columns = std::min(kColumns, block.columns - left);
      const std::byte* from = block.from + top * kSize + left * block.column_stride;
      for (std::int64_t i = 0; i < columns; ++i)
        copy_column(tile + i * kStride, from + i * block.column_stride, rows * kSize);
      turn_elements<size>(to + top * row_size + left * kSize, row_size,
                          {tile, rows, columns, kSize, kStride});
    }
  }
}

template <std::size_t size>
void copy_rows(std::byte* to, const Block& block, std::int64_t row_size) {
  const bool across = block.row_stride == static_cast<std::int64_t>(size) && block.columns > 1;
  across ? turn<size>(to, row_size, block) : copy_elements<size>(to, row_size, block);
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
  if (tensor.storage->big_endian) swap_bytes(bytes, dtype.swap());
  if (is_complex(tensor.dtype)) {
    if (tensor.negative) flip_signs(bytes, dtype.swap() - 1, dtype.size());
    if (tensor.negative != tensor.conjugate) flip_signs(bytes, dtype.size() - 1, dtype.size());
  } else if (tensor.negative) {
    flip_signs(bytes, dtype.size() - 1, dtype.size());
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
      touch(block);
      copy_block(to + done * size_, block, row_size, static_cast<std::size_t>(size_));
      block.from += block.columns * block.column_stride;
    }
  }

  // Lets go of what was read before it gets too much. Blocks lie side by side in the same pages, so that a
  // small storage is never too much.
  void touch(const Block& block) {
    const std::int64_t extent =
        (block.rows - 1) * block.row_stride + (block.columns - 1) * block.column_stride + size_;
    if (touched_ + extent > kResident && std::ssize(tensor_.storage->bytes) > kResident) release();
    touched_ += extent;
  }

  void release() {
    if (tensor_.storage->file) tensor_.storage->file->release(tensor_.storage->bytes);
    touched_ = 0;
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
