#include "write/ahead.h"

#include <gtest/gtest.h>

#include <atomic>

#include "cameo/diagnostic.h"

namespace cameo {
namespace {

// `pieces` pieces of 100'000 bytes that all are `mark`; each is counted when it was handed over.
onnx::DataPtr marked(std::byte mark, int pieces, std::atomic<int>& made) {
  constexpr std::int64_t kPiece = 100'000;
  return std::make_shared<onnx::Data>(DType::u8, std::vector<std::int64_t>{kPiece * pieces},
                                      onnx::Recipe([mark, pieces, &made](const onnx::Sink& sink) {
                                        const std::vector<std::byte> piece(kPiece, mark);
                                        for (int i = 0; i < pieces; ++i, ++made) sink(piece);
                                      }));
}

TEST(AheadTest, HandsOutEachConstantInTurn) {
  std::atomic<int> made = 0;
  Ahead ahead(
      {marked(std::byte{1}, 20, made), marked(std::byte{2}, 0, made), marked(std::byte{3}, 30, made)});
  for (int mark : {1, 2, 3}) {
    std::size_t bytes = 0;
    ahead.next([&](Bytes piece) {
      bytes += piece.size();
      for (std::byte each : piece) ASSERT_EQ(each, static_cast<std::byte>(mark));
    });
    EXPECT_EQ(bytes, mark == 1 ? 2'000'000u : mark == 2 ? 0u : 3'000'000u);
  }
  EXPECT_EQ(made, 50);
}

TEST(AheadTest, IsNotFarAheadAndStopsWithItsReader) {
  std::atomic<int> made = 0;
  {
    Ahead ahead({marked(std::byte{1}, 1000, made)});
    EXPECT_THROW(ahead.next([](Bytes) { throw InternalError("the disk is full"); }), InternalError);
  }
  EXPECT_LE(made, 10);
}

TEST(AheadTest, PassesOnWhatWentWrong) {
  std::atomic<int> made = 0;
  auto broken = std::make_shared<onnx::Data>(
      DType::u8, std::vector<std::int64_t>{1},
      onnx::Recipe([](const onnx::Sink&) { throw Error(Diagnostic{.code = "x", .message = "no data"}); }));
  Ahead ahead({marked(std::byte{1}, 2, made), broken});
  ahead.next([](Bytes) {});
  EXPECT_THROW(ahead.next([](Bytes) {}), Error);
}

}  // namespace
}  // namespace cameo
