// Formulas, computed by the nodes that stand for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace cameo::onnx::testing {
namespace {

struct Sizes {
  std::int64_t a, b, n;
};

class MaterializeTest : public ::testing::TestWithParam<int> {};

TEST_P(MaterializeTest, FormulasGiveTheirNumbers) {
  Bench bench(GetParam());
  sym::Context& symbols = bench.emit.sym();
  const Dim a = symbols.symbol("a"), b = symbols.symbol("b");
  bench.input("x", DType::f32, {a, 3});
  bench.input("y", DType::f32, {b});
  const Dim n = bench.emit.number(bench.input("n", DType::i64, {}));

  const std::vector<Dim> formulas = {
      a,
      a * b * 2 - n + 7,
      sym::floordiv(a + 1, 2),
      sym::floordiv(a - 5, 3),
      sym::mod(a - 5, 3),
      sym::floordiv(n, 3),
      sym::floordiv(n, -3),
      sym::floordiv(n, b),
      sym::mod(n, 4),
      sym::mod(n, -4),
      sym::mod(n, b),
      sym::ceildiv(n, 4),
      sym::truncdiv(n, 2),
      sym::truncmod(n, 5),
      sym::min(sym::min(a, b), n),
      sym::max(a - b, sym::max(n, 2)),
      sym::pow(n, 3) - sym::pow(a, 2),
      -n,
      sym::abs(n - 1),
      sym::floordiv(sym::max(n, 0) * a, b + 1) * 5,
      Dim(9),
      a,
      Dim(3),
  };
  bench.output(bench.emit.dims(Shape(formulas)), "list");
  bench.output(bench.emit.dim(sym::floordiv(n, 3) + a), "scalar");
  bench.output(bench.emit.elements(DType::i32, {2, 2}, {a, b, n, 1}), "matrix");
  const Session session = bench.session();

  for (const Sizes& sizes :
       {Sizes{1, 1, 0}, Sizes{5, 2, -7}, Sizes{8, 3, 7}, Sizes{2, 7, -12}, Sizes{31, 4, -1}}) {
    const std::unordered_map<Dim, std::int64_t> values{{a, sizes.a}, {b, sizes.b}, {n, sizes.n}};
    const auto results = session.run(
        {{"x", Array::of<float>({sizes.a, 3}, std::vector<float>(static_cast<std::size_t>(sizes.a * 3)))},
         {"y", Array::of<float>({sizes.b}, std::vector<float>(static_cast<std::size_t>(sizes.b)))},
         {"n", Array::scalar<std::int64_t>(sizes.n)}});
    const auto list = results[0].tensor().as<std::int64_t>();
    ASSERT_EQ(list.size(), formulas.size());
    for (std::size_t i = 0; i < formulas.size(); ++i)
      EXPECT_EQ(list[i], sym::evaluate(formulas[i], values))
          << sym::to_string(formulas[i]) << " at " << sizes.a << ", " << sizes.b << ", " << sizes.n;
    EXPECT_EQ(results[1].tensor().as<std::int64_t>()[0], sym::evaluate(sym::floordiv(n, 3) + a, values));
    EXPECT_THAT(results[2].tensor().as<std::int32_t>(), ::testing::ElementsAre(sizes.a, sizes.b, sizes.n, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Opsets, MaterializeTest, ::testing::Values(9, 10, 11, 12, 13, 14, 15, 17, 18, 21));

TEST(MaterializeSizes, ComputedOnceWhereTheyStandInAShape) {
  Bench bench;
  const Dim h = bench.emit.sym().symbol("h"), w = bench.emit.sym().symbol("w");
  Value* x = bench.input("x", DType::f32, {2, h, w});
  bench.output(bench.emit.op("ConstantOfShape", {bench.emit.dims({2, h, w})}));
  bench.output(bench.emit.op("ConstantOfShape", {bench.emit.dims({h, w, h})}));
  finish(bench.model);
  std::vector<std::string> ops;
  for (const Node* node : bench.model.main().nodes) ops.push_back(node->op);
  EXPECT_THAT(
      ops, ::testing::ElementsAre("Shape", "ConstantOfShape", "Shape", "Shape", "Concat", "ConstantOfShape"));
  EXPECT_EQ(bench.model.main().nodes[0]->inputs[0], x);
}

TEST(MaterializeDeep, NestingCostsNoStack) {
  Bench bench;
  Dim number = bench.emit.sym().symbol("a");
  bench.input("x", DType::f32, {number});
  for (int i = 0; i < 3000; ++i) number = sym::floordiv(number * 3 + i, 7);
  bench.output(bench.emit.dim(number));
  finish(bench.model);
  EXPECT_GT(bench.model.main().nodes.size(), 3000u);
}

}  // namespace
}  // namespace cameo::onnx::testing
