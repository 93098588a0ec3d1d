#include "base/side_by_side.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace cameo {
namespace {

TEST(SideBySideTest, CallsEachOnce) {
  for (const std::size_t count : {0, 1, 2, 1000}) {
    std::vector<int> calls(count);
    std::size_t of_worker[kWorkers] = {};
    side_by_side(count, [&](std::size_t i, std::size_t worker) {
      ++calls[i];
      ++of_worker[worker];
    });
    EXPECT_EQ(calls, std::vector<int>(count, 1));
    EXPECT_EQ(of_worker[0] + of_worker[1], count);
  }
}

TEST(SideBySideTest, PassesOnWhatWasThrownAndEndsEarly) {
  for (const std::size_t broken : {0, 1, 500}) {
    std::atomic<std::size_t> calls = 0;
    EXPECT_THROW(side_by_side(1'000'000,
                              [&](std::size_t i, std::size_t) {
                                if (i == broken) throw std::runtime_error("no");
                                ++calls;
                              }),
                 std::runtime_error);
    EXPECT_LT(calls, 1'000'000);
  }
}

}  // namespace
}  // namespace cameo
