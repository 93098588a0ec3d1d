#include "rules/share_weights.h"

#include "sketch.h"

namespace cameo::rules::testing {
namespace {

// A tensor of 128 × 256 numbers, and the same with its axes swapped.
struct Tied {
  Tied() : bytes(std::size_t{4} * 128 * 256) {
    for (std::size_t i = 0; i < bytes.size(); i += 4) {  // numbers around one
      bytes[i + 2] = static_cast<std::byte>(i / 4 % 128);
      bytes[i + 3] = std::byte{0x3F};
    }
    auto whole = std::make_shared<archive::Storage>();
    whole->numel = 128 * 256;
    whole->bytes = bytes;
    whole->has_data = true;
    auto made = std::make_shared<archive::Tensor>();
    made->shape = {128, 256};
    made->strides = {256, 1};
    made->storage = whole;
    plain = made;
    auto other = std::make_shared<archive::Tensor>(*made);
    other->shape = {256, 128};
    other->strides = {1, 256};
    swapped = other;
  }
  std::vector<std::byte> bytes;
  archive::TensorPtr plain, swapped;
};

void product(Sketch& s, const archive::TensorPtr& weight, const std::string& name) {
  Value* x = s.input({1, weight->shape[0]});
  s.output(s.node("MatMul", {x, s.constant(std::make_shared<onnx::Data>(weight))}), name);
}

void expect_same(Sketch& s, const std::vector<std::vector<double>>& before) {
  const auto after = s.run();
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_THAT(after[i], ::testing::Pointwise(::testing::DoubleNear(1e-4), before[i]));
}

TEST(ShareWeights, ATiedWeightIsWrittenOnce) {
  const Tied tied;
  Sketch s;
  product(s, tied.swapped, "y");
  product(s, tied.plain, "z");
  const auto before = s.run();
  const std::size_t size = s.bytes().size();
  EXPECT_EQ(share_weights(s.model, false), 1u);
  expect_same(s, before);
  EXPECT_LT(s.bytes().size(), size - tied.bytes.size() + 200);
  EXPECT_EQ(s.operators(), (Operators{"Transpose", "MatMul", "MatMul"}));
}

TEST(ShareWeights, OthersStayAsTheyAreUnlessAllAreAskedFor) {
  const Tied tied;
  Sketch s;
  product(s, tied.swapped, "y");
  const auto before = s.run();
  EXPECT_EQ(share_weights(s.model, false), 0u);
  EXPECT_EQ(share_weights(s.model, true), 1u);
  expect_same(s, before);
  EXPECT_TRUE(s.model.main().nodes[0]->inputs[0]->data->tensor()->plain());
}

}  // namespace
}  // namespace cameo::rules::testing
