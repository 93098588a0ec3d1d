#include "base/checked.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace cameo {
namespace {

constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();

TEST(Checked, ComputesWhatFits) {
  EXPECT_EQ(checked_add<std::uint64_t>(kMax - 1, 1), kMax);
  EXPECT_EQ(checked_sub<std::uint64_t>(3, 3), 0U);
  EXPECT_EQ(checked_mul<std::int64_t>(-3, 4), -12);
}

TEST(Checked, TellsOfOverflow) {
  EXPECT_EQ(checked_add<std::uint64_t>(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_sub<std::uint64_t>(0, 1), std::nullopt);
  EXPECT_EQ(checked_mul<std::uint64_t>(kMax / 2, 3), std::nullopt);
  EXPECT_EQ(checked_mul<std::int64_t>(std::numeric_limits<std::int64_t>::min(), -1), std::nullopt);
}

}  // namespace
}  // namespace cameo
