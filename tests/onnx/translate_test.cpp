// Newest forms, said at older opsets: the same numbers come out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"

namespace cameo::onnx::testing {
namespace {

struct Program {
  const char* name;
  int newest;  // an opset that says it directly
  Value* (*make)(Bench&, Value* x);
};

Value* ones(Bench& b, std::int64_t count) { return b.emit.expand(b.emit.scalar(DType::f32, 1.5), {count}); }

const Program kPrograms[] = {
    {"Gelu", 20, [](Bench& b, Value* x) { return b.emit.op("Gelu", {x}); }},
    {"GeluTanh", 20,
     [](Bench& b, Value* x) {
       return b.emit.op("Gelu", {x}, {{"approximate", std::string("tanh")}});
     }},
    {"Mish", 18, [](Bench& b, Value* x) { return b.emit.op("Mish", {x}); }},
    {"HardSwish", 14, [](Bench& b, Value* x) { return b.emit.op("HardSwish", {x}); }},
    {"Celu", 12,
     [](Bench& b, Value* x) {
       return b.emit.op("Celu", {x}, {{"alpha", 0.7f}});
     }},
    {"GroupNormalization", 21,
     [](Bench& b, Value* x) {
       return b.emit.op("GroupNormalization", {x, ones(b, 4), ones(b, 4)}, {{"num_groups", std::int64_t{2}}});
     }},
    {"LayerNormalization", 17,
     [](Bench& b, Value* x) {
       return b.emit.op("LayerNormalization", {x, ones(b, 5), ones(b, 5)});
     }},
    {"ReduceMean", 18,
     [](Bench& b, Value* x) {
       return b.emit.op("ReduceMean", {x, b.emit.ints({2, 3})});
     }},
    {"ReduceMaxOfBooleans", 20,
     [](Bench& b, Value* x) {
       Value* positive = b.emit.op("Greater", {x, b.emit.scalar(DType::f32, 1.0)});
       return b.emit.cast(b.emit.op("ReduceMax", {positive, b.emit.ints({3})}), DType::f32);
     }},
    {"Pad", 18,
     [](Bench& b, Value* x) {
       return b.emit.op("Pad", {x, b.emit.ints({1, 0, 2, 1}), nullptr, b.emit.ints({2, -1})},
                        {{"mode", std::string("reflect")}});
     }},
    {"Resize", 18,
     [](Bench& b, Value* x) {
       const auto& shape = *x->type.shape;
       return b.emit.op("Resize", {x, nullptr, nullptr, b.emit.dims({shape[2] * 2, 7})},
                        {{"mode", std::string("linear")}, {"axes", std::vector<std::int64_t>{2, 3}}});
     }},
    {"Split", 18,
     [](Bench& b, Value* x) {
       return b.emit.ops("Split", {x}, {{"axis", std::int64_t{3}}, {"num_outputs", std::int64_t{2}}}, 2)[1];
     }},
    {"Softmax", 13,
     [](Bench& b, Value* x) {
       return b.emit.op("Softmax", {x}, {{"axis", std::int64_t{1}}});
     }},
    {"Squeeze", 13,
     [](Bench& b, Value* x) {
       return b.emit.squeeze(b.emit.op("ReduceSum", {x, b.emit.ints({1})}), {1});
     }},
    {"LessOrEqual", 16,
     [](Bench& b, Value* x) {
       return b.emit.cast(b.emit.op("LessOrEqual", {x, b.emit.scalar(DType::f32, 0.0)}), DType::f32);
     }},
    {"GridSample", 20,
     [](Bench& b, Value* x) {
       Value* grid = b.emit.expand(b.emit.scalar(DType::f32, 0.25), {(*x->type.shape)[0], 2, 2, 2});
       return b.emit.op("GridSample", {x, grid}, {{"mode", std::string("linear")}});
     }},
};

std::vector<double> run(const Program& program, int opset) {
  Bench bench(opset);
  sym::Context& symbols = bench.emit.sym();
  Value* x = bench.input("x", DType::f32, {symbols.symbol("batch"), 4, symbols.symbol("h"), 5});
  bench.output(program.make(bench, x));
  std::vector<float> values;
  for (int i = 0; i < 2 * 4 * 3 * 5; ++i) values.push_back(static_cast<float>(i * 37 % 41) / 8 - 2.5f);
  return bench.session().run({{"x", Array::of<float>({2, 4, 3, 5}, values)}})[0].tensor().to_doubles();
}

TEST(TranslateTest, OlderWordsSayTheSame) {
  for (const Program& program : kPrograms) {
    const std::vector<double> expected = run(program, program.newest);
    for (int opset : {13, 15, 16, 17, 18, 19, 20, 21, 22}) {
      SCOPED_TRACE(std::string(program.name) + " at opset " + std::to_string(opset));
      try {
        EXPECT_THAT(run(program, opset), ::testing::Pointwise(::testing::DoubleNear(1e-4), expected));
      } catch (const Error& error) {
        EXPECT_EQ(error.diagnostics()[0].code, "needs-opset");
        EXPECT_LT(opset, program.newest);
        EXPECT_LT(opset, 17) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace cameo::onnx::testing
