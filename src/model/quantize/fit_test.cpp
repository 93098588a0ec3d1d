#include "model/quantize/fit.h"

#include <gtest/gtest.h>

#include <limits>

#include "model/quantize/integers.h"

namespace cameo::model {
namespace {

onnx::DataPtr floats(std::vector<std::int64_t> shape, const std::vector<float>& elements) {
  return onnx::Data::of<float>(DType::f32, std::move(shape), elements);
}

std::vector<int> bytes_of(const onnx::Data& data) {
  std::vector<int> result;
  for (const std::byte byte : data.bytes()) result.push_back(static_cast<int>(byte));
  return result;
}

TEST(FitTest, GroupsOfChannels) {
  const Grouping columns{.dims = {2, 3}, .axis = 1};
  EXPECT_EQ(columns.groups(), 3);
  EXPECT_EQ(columns.length(0), 2);
  EXPECT_EQ(columns.scale_shape(), (std::vector<std::int64_t>{3}));
  const Fit found = fit(floats({2, 3}, {1, -2, 0, -4, 1, 0}), columns, {.type = DType::i8});
  EXPECT_EQ(found.scales, (std::vector<float>{4.0F / 127, 2.0F / 127, 1}));
  EXPECT_EQ(found.errors.count, 6);
}

TEST(FitTest, GroupsOfBlocks) {
  const Grouping blocks{.dims = {5, 2}, .axis = 0, .block = 2};
  EXPECT_EQ(blocks.groups(), 6);
  EXPECT_EQ(blocks.length(0), 2);
  EXPECT_EQ(blocks.length(2), 1);  // the rest
  EXPECT_EQ(blocks.scale_shape(), (std::vector<std::int64_t>{3, 2}));
  // The first column, then the second; scales stand row by row.
  EXPECT_EQ(blocks.place(1), 2);
  EXPECT_EQ(blocks.place(3), 1);
  const Fit found = fit(floats({5, 2}, {7, 0, 0, 14, 21, 0, 0, 28, 35, 42}), blocks, {.type = DType::i4});
  EXPECT_EQ(found.scales, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(found.errors.largest, 0);
}

TEST(FitTest, ZeroPoints) {
  const Grouping whole{.dims = {1, 2}, .axis = 0};
  const Fit found = fit(floats({1, 2}, {-5, 10}), whole, {.type = DType::u4, .symmetric = false});
  EXPECT_EQ(found.scales[0], 1);
  EXPECT_EQ(found.zero_points[0], 5);
}

TEST(FitTest, NumbersThatAreNotFinite) {
  const Grouping whole{.dims = {1, 2}, .axis = 0};
  EXPECT_FALSE(fit(floats({1, 2}, {1, std::numeric_limits<float>::infinity()}), whole, {}).finite);
  EXPECT_FALSE(fit(floats({1, 2}, {std::numeric_limits<float>::quiet_NaN(), 1}), whole, {}).finite);
}

TEST(FitTest, IntegersOfFourBitsArePackedFromTheLowBits) {
  const Grouping rows{.dims = {1, 3}, .axis = 0};
  const onnx::DataPtr weight = floats({1, 3}, {-7, 1, 3});
  const Integers integers{.type = DType::i4};
  const auto found = std::make_shared<Fit>(fit(weight, rows, integers));
  EXPECT_EQ(bytes_of(*quantized(weight, rows, integers, found)), (std::vector{0x19, 0x03}));
}

TEST(FitTest, ColumnsAreFilledUpWithZeroPoints) {
  const Grouping blocks{.dims = {3, 1}, .axis = 0, .block = 16};
  const onnx::DataPtr weight = floats({3, 1}, {7, -7, 0});
  const Integers integers{.type = DType::u4};
  const auto found = std::make_shared<Fit>(fit(weight, blocks, integers));
  EXPECT_EQ(bytes_of(*quantized_columns(weight, blocks, integers, found)),
            (std::vector{0x1F, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88}));
}

}  // namespace
}  // namespace cameo::model
