#include <gmock/gmock.h>

#include "operator_map/explain.h"

namespace cameo::operator_map {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

struct Explained {
  Operator op;
  Conversion base;
  std::vector<Effect> found;

  Explained(std::string_view name, int opset)
      : op(*aten::Registry::builtin().find(name).front()),
        base(op.convert(opset)),
        found(effects(op, base, try_variants(op, opset))) {}

  std::vector<std::string> where(std::string_view argument) const {
    for (const Effect& effect : found)
      if (effect.argument == argument) return effect.where;
    return {"no such argument"};
  }
};

TEST(Explain, AttributesOfOneNode) {
  const Explained pool("aten::max_pool2d", 17);
  EXPECT_THAT(pool.where("self"), ElementsAre("X of MaxPool"));
  EXPECT_THAT(pool.where("ceil_mode"), Contains("ceil_mode of MaxPool"));
  EXPECT_THAT(pool.where("dilation"), Contains("dilations of MaxPool"));
}

TEST(Explain, AnArgumentThatAddsNodes) {
  EXPECT_THAT(Explained("aten::add", 17).where("alpha"), Contains("adds Mul"));
}

TEST(Explain, AnArgumentWithoutEffect) {
  EXPECT_THAT(Explained("aten::clone", 17).where("memory_format"), IsEmpty());
}

TEST(Explain, DefaultsOfTheOperatorAreShown) {
  const Explained softmax("aten::softmax", 17);
  ASSERT_EQ(softmax.base.nodes.size(), 1U);
  const EmittedNode& node = softmax.base.nodes[0];
  EXPECT_EQ(node.version, 13);
  EXPECT_THAT(node.attributes, ElementsAre(Slot{"axis", "1", false}));
  EXPECT_THAT(Explained("aten::leaky_relu", 17).base.nodes[0].attributes,
              ElementsAre(Slot{"alpha", "0.01", true}));
}

TEST(Explain, LimitsNameWhatMustBeKnown) {
  const Operator op(*aten::Registry::builtin().find("aten::max_pool2d").front());
  EXPECT_THAT(limits(try_variants(op, 17), op.convert(17)).known, Contains("kernel_size"));
}

}  // namespace
}  // namespace cameo::operator_map
