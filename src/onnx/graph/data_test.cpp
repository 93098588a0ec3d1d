#include "onnx/graph/data.h"

#include <gtest/gtest.h>

namespace cameo::onnx {
namespace {

TEST(DataTest, ARecipeIsFollowedWheneverItIsAskedFor) {
  int times = 0;
  const Data data(DType::i32, {4}, Recipe([&times](const Sink& sink) {
                    ++times;
                    for (std::int32_t half : {0, 1}) {
                      const std::int32_t piece[] = {half * 2, half * 2 + 1};
                      sink(std::as_bytes(std::span(piece)));
                    }
                  }));
  EXPECT_EQ(data.byte_size(), 16u);
  EXPECT_EQ(data.tensor(), nullptr);
  for (int i = 1; i <= 2; ++i) {
    std::size_t bytes = 0;
    data.copy_to([&bytes](Bytes piece) { bytes += piece.size(); });
    EXPECT_EQ(bytes, 16u);
    EXPECT_EQ(times, i);
  }
  EXPECT_EQ(data.integer(3), 3);
  EXPECT_EQ(data.integer(2), 2);
  EXPECT_EQ(times, 3);
}

}  // namespace
}  // namespace cameo::onnx
