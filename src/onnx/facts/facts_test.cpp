#include "onnx/facts/facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "onnx/facts/elements.h"

namespace cameo::onnx::facts {
namespace {

TEST(Facts, TheNewestVersionThatIsNotTooNew) {
  EXPECT_EQ(find("", "Add", 17)->since, 14);
  EXPECT_EQ(find("ai.onnx", "Add", 13)->since, 13);
  EXPECT_EQ(find("", "Add", 99)->since, 14);
  EXPECT_EQ(find("", "Gelu", 19), nullptr);
  EXPECT_EQ(find("", "Gelu", 20)->since, 20);
  EXPECT_EQ(find("", "Frobnicate", 17), nullptr);
  EXPECT_EQ(find("com.example", "Add", 17), nullptr);
  EXPECT_EQ(find("ai.onnx.ml", "LabelEncoder", 3)->since, 2);
  EXPECT_TRUE(find("", "Upsample", 10)->deprecated);
}

TEST(Facts, Versions) {
  std::vector<int> since;
  for (const Operator& version : versions("", "Cast")) since.push_back(version.since);
  EXPECT_THAT(since, ::testing::ElementsAre(1, 6, 9, 13, 19, 21, 23, 24, 25));
}

TEST(Facts, WholeTable) {
  EXPECT_GT(operators().size(), 600U);
  EXPECT_EQ(find_domain("")->newest, 28);
  EXPECT_EQ(find_domain("com.example"), nullptr);
  const auto order = [](const Operator& o) { return std::tuple(o.domain, o.name, o.since); };
  EXPECT_TRUE(std::ranges::is_sorted(operators(), {}, order));
  for (const Operator& op : operators()) {
    EXPECT_LE(op.since, find_domain(op.domain)->newest);
    EXPECT_NE(op.deprecated, !op.outputs.empty()) << op.name;
    for (const auto& side : {op.inputs, op.outputs})
      for (const Parameter& parameter : side)
        EXPECT_NE(*std::ranges::max_element(parameter.types->elements), 0U);
  }
}

TEST(Facts, Convolution) {
  const Operator& conv = *find("", "Conv", 17);
  ASSERT_EQ(conv.inputs.size(), 3U);
  EXPECT_EQ(conv.inputs[2].name, "B");
  EXPECT_EQ(conv.inputs[2].arity, Arity::optional);
  EXPECT_EQ(conv.inputs[2].variable, "T");
  EXPECT_TRUE(conv.inputs[0].types->holds(Form::tensor, 1));
  EXPECT_FALSE(conv.inputs[0].types->holds(Form::tensor, 7));
  EXPECT_FALSE(conv.inputs[0].types->holds(Form::sequence, 1));
  EXPECT_EQ(count(conv.inputs).least, 2U);
  EXPECT_EQ(count(conv.inputs).most, 3U);
  EXPECT_EQ(conv.attribute("auto_pad")->standard, "NOTSET");
  EXPECT_EQ(conv.attribute("group")->kind, Kind::integer);
  EXPECT_EQ(name(conv.attribute("pads")->kind), "INTS");
  EXPECT_FALSE(conv.attribute("pads")->has_default);
  EXPECT_EQ(conv.attribute("padding"), nullptr);
}

TEST(Facts, Variadic) {
  const Operator& loop = *find("", "Loop", 17);
  EXPECT_EQ(count(loop.inputs).least, 2U);
  EXPECT_EQ(count(loop.inputs).most, std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(parameter(loop.inputs, 7), &loop.inputs[2]);
  EXPECT_FALSE(loop.inputs[2].same);
  EXPECT_TRUE(loop.inputs[2].types->holds(Form::optional_sequence, 16));
  EXPECT_EQ(parameter(find("", "Add", 17)->inputs, 2), nullptr);
  EXPECT_EQ(count(find("", "Concat", 17)->inputs).least, 1U);
}

TEST(Facts, Maps) {
  const Operator& op = *find("ai.onnx.ml", "ZipMap", 1);
  EXPECT_TRUE(op.outputs[0].types->holds(Form::sequence_of_maps_from_str, 1));
  EXPECT_FALSE(op.outputs[0].types->holds(Form::map_from_str, 1));
  EXPECT_EQ(kElements[16], "bf16");
}

}  // namespace
}  // namespace cameo::onnx::facts
