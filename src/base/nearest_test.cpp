#include "base/nearest.h"

#include <array>

#include <gtest/gtest.h>

namespace cameo {
namespace {

const std::array<std::string, 3> kWords = {"inspect", "export", "check"};

TEST(Nearest, FindsASlipOfTheFinger) {
  EXPECT_EQ(nearest("inpsect", kWords), "inspect");
  EXPECT_EQ(nearest("exprot", kWords), "export");
  EXPECT_EQ(nearest("checks", kWords), "check");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("banana", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), kWords), "");
}

}  // namespace
}  // namespace cameo
