#include "script/print.h"

#include <gtest/gtest.h>

#include <cmath>

#include "script/parse.h"

namespace cameo::script {
namespace {

void expect_round_trip(std::string_view text) {
  const SourceFile file = parse("x.py", text);
  const std::string printed = print(file);
  EXPECT_TRUE(equal(file, parse("x.py", printed))) << printed;
}

TEST(Print, LooksLikeWhatPyTorchWrites) {
  const std::string text = R"(op_version_set = 1
class Net(Module):
  __parameters__ = ["weight"]
  __buffers__ = []
  weight : Tensor
  __annotations__["0"] = __torch__.Linear
  n : Final[int] = 4
  def forward(self: __torch__.Net,
    x: Tensor,
    n: int=2) -> Tensor:
    a, b, = torch.split(x, 2)
    a, b = b, a
    y : Optional[int] = 4
    for i in range(n):
      a = torch.add(a, 1., alpha=-1)
    if torch.gt(torch.dim(a), 2):
      z = torch.mean(a, [2])
    elif b:
      z = (a,)
    else:
      pass
    return z
class Color(Enum):
  RED = 1
def free(x: int) -> int:
  return x
)";
  EXPECT_EQ(print(parse("x.py", text)), text);
}

TEST(Print, Floats) {
  for (const double value :
       {0.0, -0.0, 1.0, 0.1, 1e10, 1e11, 1e30, 5e-324, 1.7976931348623157e308, 3.14, 1e22, -2.5e-7}) {
    Expr expr;
    expr.node = FloatLiteral{value};
    const std::string text = print(expr);
    const auto back = parse_type(text);
    ASSERT_TRUE(back->get_if<FloatLiteral>()) << text;
    EXPECT_EQ(back->get_if<FloatLiteral>()->value, value) << text;
    EXPECT_EQ(std::signbit(back->get_if<FloatLiteral>()->value), std::signbit(value)) << text;
  }
}

TEST(Print, StringsOfAllBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  Expr expr;
  expr.node = StringLiteral{all + "7" + all};
  const std::string text = print(expr);
  EXPECT_EQ(parse_type(text)->get_if<StringLiteral>()->value, all + "7" + all);
}

TEST(Print, RoundTrips) {
  expect_round_trip("");
  expect_round_trip("def f():\n  return ((a,),), (), [(b,)], {(c,): (-1).d}\n");
  expect_round_trip("def f():\n  x = -9223372036854775808 + 9223372036854775808\n  (1.).y = (-2) ** -2\n");
  expect_round_trip("def f():\n  *a, (b, *c), = d\n  a[b:, *c] = e, f\n  x, = *y,\n");
  expect_round_trip("def f():\n  with (a, b), c as d.e: pass\n  del a[0], (b, c)\n  raise\n");
  expect_round_trip(
      "def f(a, *, b: int=-1):\n  for x, in y,: pass\n  for a, b in [c for (d, e) in (f if g else h)]: "
      "pass\n");
  expect_round_trip(
      "def f():\n  if a: pass\n  elif b:\n    if c: pass\n    else: pass\n  else:\n    if d: pass\n    x = "
      "1\n");
  expect_round_trip(
      "def f():\n  assert not a is not b, c not in -d\n  x //= (y if z else w), 1\n  return -nan + infj\n");
  expect_round_trip(
      "class A(Module):\n  __annotations__[\"in\"] = int\n  __parameters__ : Final[int] = 1\n  x : Final[a, "
      "b]\n");
  expect_round_trip("class A:\n  pass\nclass B(Enum):\n  X = \"\\n\"\n  Y = -0.\n");
  expect_round_trip(
      "def f():\n  x.in = torch.random_(x, from=1)\n  def g():\n    return \"\"\n  return fork(g)\n");
}

TEST(Equal, TellsTreesApart) {
  const auto same = [](std::string_view a, std::string_view b) {
    return equal(parse("a.py", a), parse("b.py", b));
  };
  EXPECT_TRUE(same("def f():\n  return 1\n", "def f():\n    # c\n    return (1)\n"));
  EXPECT_FALSE(same("def f():\n  return 1\n", "def f():\n  return 1.\n"));
  EXPECT_FALSE(same("def f():\n  return 0.\n", "def f():\n  return -0.\n"));
  EXPECT_FALSE(same("def f():\n  a, = b\n", "def f():\n  a = b\n"));
  EXPECT_FALSE(same("def f():\n  return {a: b}\n", "def f():\n  return {a: c}\n"));
  EXPECT_FALSE(same("def f(a):\n  pass\n", "def f(a=1):\n  pass\n"));
  EXPECT_FALSE(same("class A:\n  x : int\n", "class A:\n  x : Final[int]\n"));
}

}  // namespace
}  // namespace cameo::script
