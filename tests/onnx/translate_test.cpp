// Newest forms, said at every opset: the same numbers come out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "bench.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx::testing {
namespace {

struct Program {
  const char* name;
  int newest;      // an opset that says it directly
  int oldest = 9;  // the oldest that can say it
  Value* (*make)(Bench&, Value* x);
};

Value* ones(Bench& b, std::int64_t count) { return b.emit.expand(b.emit.scalar(DType::f32, 1.5), {count}); }
Value* real(Bench& b, double value) { return b.emit.scalar(DType::f32, value); }
Value* as_real(Bench& b, Value* x) { return b.emit.cast(x, DType::f32); }
// Integers from -20 to 20.
Value* whole(Bench& b, Value* x) { return b.emit.cast(b.emit.op("Mul", {x, real(b, 8)}), DType::i64); }
// One of them, known only to a run.
Value* runtime_number(Bench& b, Value* x, std::int64_t value) {
  Value* zero = b.emit.op(
      "Mul", {b.emit.reshape(b.emit.gather(b.emit.gather(x, b.emit.ints({0}), 1), b.emit.ints({0}), 3),
                             {(*x->type.shape)[0] * (*x->type.shape)[2]}),
              real(b, 0)});
  Value* first = b.emit.cast(b.emit.gather(zero, b.emit.ints({0}), 0), DType::i64);
  return b.emit.op("Add", {first, b.emit.ints({value})});
}
// Indices within 0 … 3 in the shape of x.
Value* indices(Bench& b, Value* x) {
  return b.emit.op("Mod", {b.emit.op("Abs", {whole(b, x)}), b.emit.scalar(DType::i64, std::int64_t{3})});
}
Attributes axis(std::int64_t number) { return {{"axis", number}}; }

const Program kPrograms[] = {
    {"Gelu", 20, 9, [](Bench& b, Value* x) -> Value* { return b.emit.op("Gelu", {x}); }},
    {"GeluTanh", 20, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Gelu", {x}, {{"approximate", std::string("tanh")}});
     }},
    {"Mish", 18, 9, [](Bench& b, Value* x) -> Value* { return b.emit.op("Mish", {x}); }},
    {"HardSwish", 14, 9, [](Bench& b, Value* x) -> Value* { return b.emit.op("HardSwish", {x}); }},
    {"Celu", 12, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Celu", {x}, {{"alpha", 0.7f}});
     }},
    {"GroupNormalization", 21, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("GroupNormalization", {x, ones(b, 4), ones(b, 4)}, {{"num_groups", std::int64_t{2}}});
     }},
    {"LayerNormalization", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("LayerNormalization", {x, ones(b, 5), ones(b, 5)});
     }},
    {"ReduceMean", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("ReduceMean", {x, b.emit.ints({2, 3})});
     }},
    {"ReduceMaxOfBooleans", 20, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* positive = b.emit.op("Greater", {x, b.emit.scalar(DType::f32, 1.0)});
       return b.emit.cast(b.emit.op("ReduceMax", {positive, b.emit.ints({3})}), DType::f32);
     }},
    {"Pad", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Pad", {x, b.emit.ints({1, 0, 2, 1}), nullptr, b.emit.ints({2, -1})},
                        {{"mode", std::string("reflect")}});
     }},
    {"Resize", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       const auto& shape = *x->type.shape;
       return b.emit.op("Resize", {x, nullptr, nullptr, b.emit.dims({shape[2] * 2, 7})},
                        {{"mode", std::string("linear")}, {"axes", std::vector<std::int64_t>{2, 3}}});
     }},
    {"Split", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.ops("Split", {x}, {{"axis", std::int64_t{3}}, {"num_outputs", std::int64_t{2}}}, 2)[1];
     }},
    {"Softmax", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Softmax", {x}, {{"axis", std::int64_t{1}}});
     }},
    {"Squeeze", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.squeeze(b.emit.op("ReduceSum", {x, b.emit.ints({1})}), {1});
     }},
    {"LessOrEqual", 16, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.cast(b.emit.op("LessOrEqual", {x, b.emit.scalar(DType::f32, 0.0)}), DType::f32);
     }},
    {"GridSample", 20, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* grid = b.emit.expand(b.emit.scalar(DType::f32, 0.25), {(*x->type.shape)[0], 2, 2, 2});
       return b.emit.op("GridSample", {x, grid}, {{"mode", std::string("linear")}});
     }},
    {"Clip", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Clip", {x, real(b, -1), real(b, 2)});
     }},
    {"ClipOfIntegers", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* low = b.emit.scalar(DType::i64, std::int64_t{-3});
       return as_real(b, b.emit.op("Clip", {whole(b, x), low}));
     }},
    {"EqualOfFloats", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* holes = b.emit.op("Where", {b.emit.op("Less", {x, real(b, -2)}), real(b, NAN), x});
       return as_real(b, b.emit.op("Equal", {holes, b.emit.op("Round", {holes})}));
     }},
    {"Round", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Round", {b.emit.op("Mul", {x, real(b, 4)})});
     }},
    {"Mod", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(b, b.emit.op("Mod", {whole(b, x), b.emit.scalar(DType::i64, std::int64_t{-7})}));
     }},
    {"IsInf", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(b, b.emit.op("IsInf", {b.emit.op("Div", {real(b, 1), x})}));
     }},
    {"MaxOfIntegers", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* n = whole(b, x);
       return as_real(
           b, b.emit.op("Max", {n, b.emit.op("Neg", {n}), b.emit.scalar(DType::i64, std::int64_t{4})}));
     }},
    {"PowOfIntegers", 15, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(b, b.emit.op("Pow", {whole(b, x), b.emit.scalar(DType::i64, std::int64_t{3})}));
     }},
    {"Range", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* n = b.emit.reshape(runtime_number(b, x, 17), {});
       Value* two = b.emit.scalar(DType::i64, std::int64_t{2});
       return as_real(b, b.emit.op("Range", {b.emit.scalar(DType::i64, std::int64_t{-4}), n, two}));
     }},
    {"CumSum", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("CumSum", {x, b.emit.scalar(DType::i64, std::int64_t{2})},
                        {{"reverse", std::int64_t{1}}, {"exclusive", std::int64_t{1}}});
     }},
    {"Trilu", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Trilu", {x, b.emit.scalar(DType::i64, std::int64_t{-1})},
                        {{"upper", std::int64_t{0}}});
     }},
    {"GatherElements", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("GatherElements", {x, indices(b, x)}, axis(2));
     }},
    {"GatherND", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* at = b.emit.gather(indices(b, x), b.emit.ints({0, 1}), 3);
       return b.emit.op("GatherND", {b.emit.transpose(x, {2, 3, 0, 1}), at});
     }},
    {"ScatterElementsAdd", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       Attributes attributes = axis(1);
       attributes.push_back({"reduction", std::string("add")});
       return b.emit.op("ScatterElements", {x, indices(b, x), x}, attributes);
     }},
    {"ScatterElementsMax", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       Attributes attributes = axis(1);
       attributes.push_back({"reduction", std::string("max")});
       return b.emit.op("ScatterElements", {b.emit.op("Neg", {x}), indices(b, x), x}, attributes);
     }},
    {"ScatterND", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op(
           "ScatterND",
           {x, b.emit.constant(Data::of<std::int64_t>(DType::i64, {1, 2}, std::vector<std::int64_t>{-1, 2})),
            b.emit.expand(real(b, 7), {1, (*x->type.shape)[2], 5})});
     }},
    {"SliceBySteps", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.slice(x, 3, -1, std::numeric_limits<std::int64_t>::min(), -2);
     }},
    {"SliceAtRunTime", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Slice", {x, runtime_number(b, x, -4), runtime_number(b, x, 100), b.emit.ints({3})});
     }},
    {"PadAtRunTime", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* pads =
           b.emit.concat({b.emit.ints({0, 0, 0}), runtime_number(b, x, 2), b.emit.ints({0, 0, -1, 1})}, 0);
       return b.emit.op("Pad", {x, pads, real(b, 3)});
     }},
    {"PadOfIntegers", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(b, b.emit.op("Pad", {whole(b, x), b.emit.ints({0, 0, 0, 2, 0, 0, 0, 3})},
                                   {{"mode", std::string("reflect")}}));
     }},
    {"PadWrap", 19, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Pad", {x, b.emit.ints({0, 0, 0, 2, 0, 0, 0, 3})}, {{"mode", std::string("wrap")}});
     }},
    {"TopK", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.ops("TopK", {x, b.emit.ints({3})}, {{"largest", std::int64_t{0}}}, 2)[0];
     }},
    {"ArgMaxOfLast", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(
           b, b.emit.op("ArgMax", {b.emit.op("Round", {x})}, {{"select_last_index", std::int64_t{1}}}));
     }},
    {"ResizeLinear", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       const auto& shape = *x->type.shape;
       return b.emit.op("Resize", {x, nullptr, nullptr, b.emit.dims({shape[0], shape[1], 7, 3})},
                        {{"mode", std::string("linear")}});
     }},
    {"ResizeCubic", 13, 11,
     [](Bench& b, Value* x) -> Value* {
       const auto& shape = *x->type.shape;
       return b.emit.op("Resize", {x, nullptr, nullptr, b.emit.dims({shape[0], shape[1], 7, 3})},
                        {{"mode", std::string("cubic")}});
     }},
    {"DepthToSpace", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("DepthToSpace", {x}, {{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}});
     }},
    {"Einsum", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       return b.emit.op("Einsum", {x, x}, {{"equation", std::string("abcd,aecd->bea")}});
     }},
    {"Losses", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* classes = b.emit.gather(indices(b, x), b.emit.scalar(DType::i64, std::int64_t{0}), 1);
       Value* first = b.emit.op("SoftmaxCrossEntropyLoss", {x, classes, ones(b, 4)},
                                {{"ignore_index", std::int64_t{1}}});
       return b.emit.op("Add", {first, b.emit.op("NegativeLogLikelihoodLoss", {x, classes})});
     }},
    {"SplitAtRunTime", 13, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* sizes = b.emit.concat({runtime_number(b, x, 1), runtime_number(b, x, 4)}, 0);
       return b.emit.ops("Split", {x, sizes}, axis(3), 2)[1];
     }},
    {"ReshapeOfNothing", 17, 9,
     [](Bench& b, Value* x) -> Value* {
       Value* nothing = b.emit.slice(x, 3, 2, 2);
       return b.emit.reshape(nothing, {0, (*x->type.shape)[0]});
     }},
    {"BitwiseXor", 18, 9,
     [](Bench& b, Value* x) -> Value* {
       return as_real(b, b.emit.op("BitwiseXor", {whole(b, x), b.emit.scalar(DType::i64, std::int64_t{85})}));
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

TEST(TranslateTest, OlderAndNewerWordsSayTheSame) {
  setenv("ALLOW_RELEASED_ONNX_OPSET_ONLY", "0", 1);
  for (const Program& program : kPrograms) {
    const std::vector<double> expected = run(program, program.newest);
    for (int opset = kMinOpset; opset <= kMaxOpset; ++opset) {
      SCOPED_TRACE(std::string(program.name) + " at opset " + std::to_string(opset));
      try {
        EXPECT_THAT(run(program, opset),
                    ::testing::Pointwise(::testing::NanSensitiveDoubleNear(1e-4), expected));
        EXPECT_GE(opset, program.oldest);
      } catch (const Error& error) {
        EXPECT_EQ(error.diagnostics()[0].code, Code::needs_opset) << error.what();
        EXPECT_LT(opset, program.oldest) << error.what();
      }
    }
  }
}

TEST(TranslateTest, SaysWhichOpsetIsNeededAndWhy) {
  Bench bench(10);
  Value* x = bench.input("x", DType::f32, {1, 1, 4, 4});
  try {
    bench.emit.op("Resize", {x, nullptr, nullptr, bench.emit.ints({1, 1, 8, 8})},
                  {{"mode", std::string("cubic")}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].message,
              "Resize needs opset 11 or newer, because no older operator interpolates cubically");
    EXPECT_EQ(error.diagnostics()[0].hint, "export with --opset 11");
  }
}

}  // namespace
}  // namespace cameo::onnx::testing
