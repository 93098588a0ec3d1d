#include "base/wildcard.h"

#include <gtest/gtest.h>

namespace cameo {
namespace {

TEST(Wildcard, Patterns) {
  EXPECT_TRUE(matches("Softmax", "Softmax"));
  EXPECT_FALSE(matches("Soft", "Softmax"));
  EXPECT_TRUE(matches("Soft*", "Softmax"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a-b-b"));
  EXPECT_TRUE(matches("layer?", "layer1"));
  EXPECT_FALSE(matches("layer?", "layer"));
}

}  // namespace
}  // namespace cameo
