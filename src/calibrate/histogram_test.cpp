#include "calibrate/histogram.h"

#include <gtest/gtest.h>

#include <random>

namespace cameo::calibration {
namespace {

TEST(HistogramTest, Percentiles) {
  Histogram histogram(0, 100, 100);
  std::vector<float> elements;
  for (int i = 0; i < 100; ++i) elements.push_back(static_cast<float>(i) + 0.5F);
  histogram.add(elements);
  EXPECT_DOUBLE_EQ(histogram.within(100).least, 0);
  EXPECT_DOUBLE_EQ(histogram.within(100).most, 100);
  EXPECT_DOUBLE_EQ(histogram.within(90).least, 5);
  EXPECT_DOUBLE_EQ(histogram.within(90).most, 95);
}

TEST(HistogramTest, OneElementFarAwayDoesNotSetTheLimit) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> elements;
  for (int i = 0; i < 100'000; ++i) elements.push_back(std::abs(normal(random)));
  Histogram histogram(0, 100, 2048);
  elements.push_back(100);
  histogram.add(elements);
  EXPECT_LT(histogram.limit(), 20);
  EXPECT_GT(histogram.limit(), 2);
}

}  // namespace
}  // namespace cameo::calibration
