// Every operator has a call that converts, and no hint is idle.
#include <gtest/gtest.h>

#include "operator_map/hints.h"
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

bool declared(std::string_view name) {
  for (const aten::Op* op : aten::Registry::builtin().all()) {
    const std::string full = std::string(op->schema.name) + "." + std::string(op->schema.overload);
    if (op->schema.name == name || full == name) return true;
  }
  return false;
}

TEST(Samples, HintsAreForOperatorsThatExist) {
  for (const Hint& hint : operator_hints()) {
    std::string_view names = hint.name;
    while (!names.empty()) {
      const std::size_t space = std::min(names.find(' '), names.size());
      EXPECT_TRUE(declared(names.substr(0, space))) << names.substr(0, space);
      names.remove_prefix(std::min(space + 1, names.size()));
    }
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
