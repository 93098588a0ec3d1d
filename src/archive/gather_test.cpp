#include "archive/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace cameo::archive {
namespace {

using Ints = std::vector<std::int64_t>;

struct Case {
  Ints shape, strides;
  std::int64_t offset = 0;
};

template <class T>
constexpr DType kType = sizeof(T) == 1   ? DType::i8
                        : sizeof(T) == 2 ? DType::i16
                        : sizeof(T) == 4 ? DType::i32
                                         : DType::i64;

template <class T>
Tensor tensor_of(const std::vector<T>& numbers, const Case& layout) {
  auto storage = std::make_shared<Storage>();
  storage->dtype = kType<T>;
  storage->numel = std::ssize(numbers);
  storage->bytes = std::as_bytes(std::span(numbers));
  storage->has_data = true;
  Tensor tensor;
  tensor.dtype = kType<T>;
  tensor.shape = layout.shape;
  tensor.strides = layout.strides;
  tensor.offset = layout.offset;
  tensor.storage = storage;
  return tensor;
}

template <class T>
void append(const Case& layout, const std::vector<T>& numbers, std::size_t axis, std::int64_t at,
            std::vector<T>& out) {
  if (axis == layout.shape.size()) return out.push_back(numbers[static_cast<std::size_t>(at)]);
  for (std::int64_t i = 0; i < layout.shape[axis]; ++i)
    append(layout, numbers, axis + 1, at + i * layout.strides[axis], out);
}

template <class T>
void check_elements(const Case& layout, std::int64_t numel) {
  std::vector<T> numbers(static_cast<std::size_t>(numel));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(i * 2654435761u >> 7);
  std::vector<T> expected, gathered;
  append(layout, numbers, 0, layout.offset, expected);
  std::size_t largest = 0;
  gather(tensor_of(numbers, layout), [&](Bytes piece) {
    ASSERT_EQ(piece.size() % sizeof(T), 0u);
    largest = std::max(largest, piece.size());
    const std::size_t before = gathered.size();
    gathered.resize(before + piece.size() / sizeof(T));
    std::memcpy(gathered.data() + before, piece.data(), piece.size());
  });
  EXPECT_TRUE(gathered == expected) << sizeof(T) << " bytes an element";
  EXPECT_LE(largest, std::size_t{4} << 20);
}

void check(const Case& layout, std::int64_t numel) {
  check_elements<std::int8_t>(layout, numel);
  check_elements<std::int16_t>(layout, numel);
  check_elements<std::int32_t>(layout, numel);
  check_elements<std::int64_t>(layout, numel);
}

TEST(GatherTest, EveryOrderOfAxes) {
  const Ints shape{5, 7, 3, 11}, strides{231, 33, 11, 1};
  Ints order{0, 1, 2, 3};
  do {
    Case layout;
    for (std::int64_t axis : order) {
      layout.shape.push_back(shape[static_cast<std::size_t>(axis)]);
      layout.strides.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    check(layout, 5 * 231);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(GatherTest, PartsAndRepetitions) {
  check({{4}, {3}, 2}, 12);
  check({{}, {}, 2}, 3);
  check({{3, 4}, {0, 2}, 1}, 8);
  check({{4, 3}, {1, 0}}, 4);
  check({{2, 3, 4}, {40, 10, 2}, 5}, 80);
}

TEST(GatherTest, MatricesOfEverySizeAreTurned) {
  for (const std::int64_t rows : {1, 3, 4, 127, 128, 129, 515})
    for (const std::int64_t columns : {1, 2, 4, 31, 32, 33, 70})
      check({{rows, columns}, {1, rows + 2}, 1}, columns * (rows + 2) + 1);
}

TEST(GatherTest, MoreThanOnePiece) {
  check({{1500, 1100}, {1, 1500}}, 1500 * 1100);        // several rows a piece
  check({{2, 1500000}, {1, 2}}, 3000000);               // a row in several pieces
  check({{3, 700, 900}, {1, 2700, 3}}, 3 * 700 * 900);  // pieces that end within a matrix
}

}  // namespace
}  // namespace cameo::archive
