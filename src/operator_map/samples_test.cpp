// Every operator has a call that converts.
#include <gtest/gtest.h>

#include "operator_map/operator.h"

namespace cameo::operator_map {
namespace {

TEST(Samples, EveryOperatorHasACallThatConverts) {
  for (const Operator& op : all_operators()) {
    const Conversion newest = op.convert(27);
    EXPECT_EQ(newest.outcome, Outcome::converts) << op.schema().text << ": " << newest.reason;
    EXPECT_FALSE(newest.results.empty()) << op.schema().text;
  }
}

TEST(Samples, NothingThatOnlyARunTellsIsLeftInFixedOnes) {
  for (const Operator& op : all_operators()) {
    const std::string text = to_text(op.sample(), op.schema());
    for (std::string_view size : {"batch", "depth", "height", "width,", "width]"})
      EXPECT_EQ(text.find(std::string("[") + std::string(size)), std::string::npos) << text;
  }
}

TEST(Samples, FixedSizes) {
  const aten::Op& linear = *aten::Registry::builtin().find("aten::linear").front();
  const Operator op(linear);
  EXPECT_EQ(to_text(op.sample(Sizes::dynamic), linear.schema),
            "input=f32[batch,6], weight=f32[8,6], bias=f32[8]");
  EXPECT_EQ(to_text(op.sample(), linear.schema), "input=f32[4,6], weight=f32[8,6], bias=f32[8]");
}

TEST(Samples, AnotherElementTypeLeavesIndicesAlone) {
  const aten::Op& gather = *aten::Registry::builtin().find("aten::gather").front();
  const Operator op(gather, {.dtype = "f16"});
  EXPECT_EQ(to_text(op.sample(), gather.schema), "self=f16[4,6,10,12], dim=1, index=i64[4,6,10,12]");
}

}  // namespace
}  // namespace cameo::operator_map
