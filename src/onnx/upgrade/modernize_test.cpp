#include "onnx/upgrade/modernize.h"

#include <gtest/gtest.h>

#include "cameo/conversion.h"
#include "onnx/downgrade/downgrade.h"

namespace cameo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

class ModernizeTest : public testing::Test {
 protected:
  Value* tensor(Shape shape) {
    return emit_.graph_input(&model_.main(), {.dtype = DType::f32, .shape = std::move(shape)});
  }
  Value* floats(const std::vector<float>& values) {
    return emit_.constant(Data::of<float>(DType::f32, {std::ssize(values)}, values));
  }
  // The form of the node in a model of the opset.
  Node modernized(int opset, Node node, std::size_t outputs = 1) {
    model_.opset = opset;
    modernize(emit_, node, outputs);
    return node;
  }
  std::string refusal(int opset, Node node) {
    try {
      modernized(opset, std::move(node));
    } catch (const ConversionError& error) {
      return error.what();
    }
    return "none";
  }

  Model model_;
  Emit emit_{model_, downgrade(), {}};
};

TEST_F(ModernizeTest, FindsTheNewestFormThatFits) {
  Value* x = tensor({1, 1, 2, 2});
  const Node split =
      modernized(18, {.op = "Split", .inputs = {x}, .attributes = {{"axis", std::int64_t{2}}}}, 2);
  EXPECT_EQ(*split.attribute_if<std::int64_t>("num_outputs"), 2);
  for (const char* op : {"Resize", "Upsample"}) {
    const Node resize = modernized(17, {.op = op, .inputs = {x, floats({1, 1, 2, 2})}});
    EXPECT_EQ(resize.op, "Resize");
    EXPECT_EQ(*resize.attribute_if<std::string>("coordinate_transformation_mode"), "asymmetric");
  }
  EXPECT_EQ(
      modernized(9, {.op = "Squeeze", .inputs = {x}, .attributes = {{"axes", Integers{0}}}}).inputs.size(),
      2U);
}

TEST_F(ModernizeTest, RefusesWhatMeansSomethingElseInBetween) {
  Value* x = tensor({2, 3, 4, 5});
  const Node align{.op = "RoiAlign", .inputs = {x, tensor({1, 4}), emit_.ints({0})}};
  EXPECT_EQ(refusal(15, align), "this RoiAlign means something else before opset 16");
  EXPECT_EQ(refusal(16, align), "none");
  const Node transform{.op = "DFT", .inputs = {x}};
  EXPECT_EQ(refusal(17, transform), "this DFT means something else before opset 20");
  EXPECT_EQ(refusal(20, transform), "none");
  EXPECT_EQ(refusal(17, {.op = "DFT", .inputs = {tensor({2, 3, 2})}}), "none");
  EXPECT_EQ(refusal(9, {.op = "Dropout", .inputs = {x}}), "none");
  EXPECT_EQ(refusal(16, {.op = "GridSample", .inputs = {x, tensor({2, 2, 2, 2})}}), "none");
}

TEST_F(ModernizeTest, RefusesWhatOnlyOldOpsetsSay) {
  Value* x = tensor({1, 1, 2, 2});
  EXPECT_EQ(refusal(17, {.op = "Resize", .inputs = {x, floats({1, 1, 2, 0.5F})}}),
            "this Resize cannot be expressed in opset 11 or later");
  EXPECT_EQ(refusal(17, {.op = "Concat", .inputs = {x}}), "Concat needs the attribute 'axis'");
  EXPECT_EQ(refusal(17, {.op = "Reshape", .inputs = {x}, .attributes = {{"shape", Integers{-1}}}}),
            "Reshape has no attribute 'shape'");
}

}  // namespace
}  // namespace cameo::onnx
