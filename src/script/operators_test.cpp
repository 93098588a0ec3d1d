#include "script/operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/testing.h"

namespace cameo::script {
namespace {

using ::testing::ElementsAre;
using testing::ProgramBuilder;
namespace op = testing::op;
using Count = OperatorCount;

ProgramBuilder program(const std::string& code, const std::string& state = op::dict({})) {
  ProgramBuilder b;
  b.code = {{"__torch__.py", code}};
  b.data = op::object("__torch__", "Net", state);
  return b;
}

TEST(Operators, CountsWhatIsWritten) {
  const Program p = program(
                        "class Net(Module):\n"
                        "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                        "    y = torch.add(torch.add(x, 1), ops.torchvision.nms(x))\n"
                        "    if ops.prim.is_cuda(y):\n"
                        "      z = torch.to(y, torch.device(\"cpu\"))\n"
                        "    else:\n"
                        "      z = torch.autograd.grad(y)\n"
                        "    return z\n"
                        "def unused():\n"
                        "  return torch.add(1, 2)\n")
                        .build();
  EXPECT_THAT(count_operators(p),
              ElementsAre(Count{"aten::add", 3}, Count{"aten::grad", 1}, Count{"aten::to", 1},
                          Count{"prim::is_cuda", 1}, Count{"torchvision::nms", 1}));
  EXPECT_EQ(count_operators(p, "forward")[0], (Count{"aten::add", 2}));
  EXPECT_TRUE(count_operators(p, "nothing").empty());
}

TEST(Operators, LocalsHideNamespaces) {
  const Program p = program(
                        "class Net(Module):\n"
                        "  def forward(self: __torch__.Net, torch: Tensor) -> Tensor:\n"
                        "    ops, a = torch.b(), 1\n"
                        "    return ops.c.d()\n")
                        .build();
  EXPECT_TRUE(count_operators(p).empty());
}

TEST(Operators, FunctionsCountAsOftenAsTheyAreCalled) {
  const Program p = program(
                        "class Net(Module):\n"
                        "  __annotations__[\"0\"] = __torch__.Leaf\n"
                        "  leaf : __torch__.Leaf\n"
                        "  any : __torch__.Shape\n"
                        "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                        "    first = getattr(self, \"0\")\n"
                        "    leaf = self.leaf\n"
                        "    y = (leaf).forward((first).forward(x, ), )\n"
                        "    f = __torch__.twice\n"
                        "    z = f(y, )\n"
                        "    any = self.any\n"
                        "    o = __torch__.Plain.__new__(__torch__.Plain)\n"
                        "    _0 = (o).__init__(z, )\n"
                        "    def fork_0():\n"
                        "      return torch.neg(z)\n"
                        "    return (any).forward(__torch__.twice(z, ), )\n"
                        "class Leaf(Module):\n"
                        "  def forward(self: __torch__.Leaf, x: Tensor) -> Tensor:\n"
                        "    return torch.relu(x)\n"
                        "class Shape(ModuleInterface):\n"
                        "  def forward(self, x: Tensor) -> Tensor:\n"
                        "    pass\n"
                        "class Plain:\n"
                        "  def __init__(self: __torch__.Plain, x: Tensor) -> None:\n"
                        "    y = torch.abs(x)\n"
                        "def twice(x: Tensor) -> Tensor:\n"
                        "  return torch.add(__torch__.once(x, ), __torch__.once(x, ))\n"
                        "def once(x: Tensor) -> Tensor:\n"
                        "  return torch.mul(x, 2)\n",
                        op::dict({{"any", op::object("__torch__", "Leaf", op::dict({}))}}))
                        .build();
  EXPECT_THAT(count_operators(p, "forward"),
              ElementsAre(Count{"aten::mul", 4}, Count{"aten::relu", 3}, Count{"aten::add", 2},
                          Count{"aten::abs", 1}, Count{"aten::neg", 1}));
}

TEST(Operators, CirclesAndExplosionsEnd) {
  std::string code =
      "class Net(Module):\n"
      "  def forward(self: __torch__.Net) -> int:\n"
      "    return (self).forward(__torch__.f0())\n";
  for (int i = 0; i < 100; ++i) {
    const std::string next = "__torch__.f" + std::to_string(i + 1) + "()";
    code += "def f" + std::to_string(i) + "():\n  return g(" + next + ", " + next + ")\n";
  }
  code += "def f100():\n  return torch.add(1, 2)\n";
  const Program p = program(code).build();
  EXPECT_THAT(count_operators(p, "forward"), ElementsAre(Count{"aten::add", INT64_MAX}));
}

}  // namespace
}  // namespace cameo::script
