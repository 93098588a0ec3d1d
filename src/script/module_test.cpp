#include "script/module.h"

#include <gtest/gtest.h>

#include "script/testing.h"

namespace cameo::script {
namespace {

using testing::ProgramBuilder;
namespace op = testing::op;

const std::string kTensor = op::tensor(op::storage("FloatStorage", "0", 2), 0, {2}, {1});

ProgramBuilder builder() {
  ProgramBuilder b;
  b.code = {{"__torch__.py",
             "class Net(Module):\n"
             "  __parameters__ = [\"w\", \"bias\", ]\n"
             "  __buffers__ = [\"mean\", ]\n"
             "  mean : Tensor\n"
             "  w : Tensor\n"
             "  bias : Optional[Tensor]\n"
             "  k : Final[int] = 3\n"
             "  __annotations__[\"0\"] = __torch__.Leaf\n"
             "  again : __torch__.Leaf\n"
             "  packed : __torch__.torch.classes.quantized.P\n"
             "class Leaf(Module):\n"
             "  training : bool\n"
             "class Own(Module):\n"
             "  x : int\n"
             "  def __getstate__(self):\n    pass\n"
             "  def __setstate__(self, s):\n    pass\n"}};
  b.records = {{"data/0", std::string(8, '\0')}};
  const std::string leaf = op::object("__torch__", "Leaf", op::dict({{"training", "\x88"}}));
  b.data = op::object(
      "__torch__", "Net",
      op::dict({{"w", kTensor},
                {"mean", kTensor},
                {"bias", "N"},
                {"0", leaf + "q\x05"},
                {"again", "h\x05"},
                {"packed", op::object("__torch__.torch.classes.quantized", "P", op::tuple({kTensor, "N"}))},
                {"surplus", "N"}}));
  return b;
}

const archive::Object& root(const Program& program) { return *program.root()->get_if<archive::Object>(); }

TEST(Module, MembersInTheOrderOfTheClass) {
  const Program program = builder().build();
  const Module net = resolve(program, root(program));
  EXPECT_EQ(net.class_name, "__torch__.Net");
  EXPECT_FALSE(net.opaque);
  std::string order;
  for (const Member& member : net.members) order += std::string(member.name) + " ";
  EXPECT_EQ(order, "mean w bias k 0 again packed ");
  EXPECT_EQ(net.find("mean")->kind, MemberKind::buffer);
  EXPECT_EQ(net.find("w")->kind, MemberKind::parameter);
  EXPECT_EQ(net.find("bias")->kind, MemberKind::attribute);
  EXPECT_EQ(net.find("k")->kind, MemberKind::constant);
  EXPECT_TRUE(net.find("k")->field->value);
  EXPECT_EQ(net.find("0")->kind, MemberKind::submodule);
  EXPECT_EQ(net.find("packed")->kind, MemberKind::attribute);
  EXPECT_EQ(net.find("0")->value, net.find("again")->value);
  EXPECT_EQ(net.find("surplus"), nullptr);
}

TEST(Module, MissingAttribute) {
  ProgramBuilder b = builder();
  b.data = op::object("__torch__", "Leaf", op::dict({}));
  const Program program = b.build();
  try {
    resolve(program, root(program));
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "an object of class Leaf lacks its attribute 'training'");
    EXPECT_EQ(e.diagnostics()[0].code, Code::incomplete_object);
  }
}

TEST(Module, OwnStateIsOpaqueUnlessADict) {
  ProgramBuilder b = builder();
  b.data = op::object("__torch__", "Own", op::tuple({kTensor, op::list({kTensor}), "N"}));
  const Program opaque = b.build();
  EXPECT_TRUE(resolve(opaque, root(opaque)).opaque);
  EXPECT_EQ(tensors_in(opaque.root()).size(), 2u);
  b.data = op::object("__torch__", "Own", op::dict({{"y", op::integer(1)}}));
  const Program dict = b.build();
  const Module module = resolve(dict, root(dict));
  EXPECT_FALSE(module.opaque);
  ASSERT_EQ(module.members.size(), 1u);
  EXPECT_EQ(module.members[0].name, "y");
}

TEST(Module, TensorsOfEverythingBelow) {
  const Program program = builder().build();
  EXPECT_EQ(tensors_in(program.root()).size(), 3u);
}

TEST(Module, TensorsOfAValueThatContainsItself) {
  ProgramBuilder b = builder();
  b.data = op::object("__torch__", "Own", "]q\x07(" + kTensor + "h\x07" + "e");
  EXPECT_EQ(tensors_in(b.build().root()).size(), 1u);
}

}  // namespace
}  // namespace cameo::script
