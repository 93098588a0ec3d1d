// What is folded must be what ONNX Runtime computes, for every operator and type that both know.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "bench.h"
#include "onnx/fold/element.h"

namespace cameo::onnx::testing {
namespace {

constexpr DType kAll[] = {DType::boolean, DType::u8,  DType::i8,  DType::u16, DType::i16,
                          DType::u32,     DType::i32, DType::u64, DType::i64, DType::f16,
                          DType::bf16,    DType::f32, DType::f64};

struct Case {
  std::string op;
  std::vector<DataPtr> inputs;
  Attributes attributes = {};
  std::size_t outputs = 1;
  double tolerance = 0;  // relative; 0: the same bits
  std::size_t fed = 3;   // inputs from here on stay constants: axes, shapes and the like
};

DataPtr numbers(DType dtype, std::vector<std::int64_t> shape, const std::vector<double>& values) {
  DataPtr result;
  with_type(dtype, [&]<class T>(Tag<T>) {
    std::vector<T> elements;
    for (double value : values) {
      double fitting = value;
      if (dtype == DType::boolean) fitting = value != 0;
      if (std::is_unsigned_v<T>) fitting = std::fabs(fitting);
      if (std::is_integral_v<T>) fitting = std::trunc(fitting);
      elements.push_back(static_cast<T>(fitting));
    }
    result = make<T>(dtype, std::move(shape), elements);
  });
  return result;
}

DataPtr ints(std::vector<std::int64_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return make<std::int64_t>(DType::i64, {size}, values);
}

Shape fixed(const std::vector<std::int64_t>& shape) { return {shape.begin(), shape.end()}; }

Array array(const Data& data) {
  const Bytes bytes = data.bytes();
  return Array::owning(static_cast<ElementType>(to_onnx(data.dtype())), data.shape(),
                       std::vector<std::byte>(bytes.begin(), bytes.end()));
}

void expect_same(const Case& c, const Data& folded, const Array& run) {
  const std::string what = c.op + " of " + std::string(name(c.inputs[0]->dtype()));
  ASSERT_EQ(static_cast<int>(run.type()), to_onnx(folded.dtype())) << what;
  ASSERT_EQ(run.shape(), folded.shape()) << what;
  const Bytes bytes = folded.bytes();
  if (c.tolerance == 0 && std::memcmp(bytes.data(), run.bytes().data(), bytes.size()) == 0) return;
  const std::vector<double> actual = run.to_doubles();
  for (std::int64_t i = 0; i < folded.numel(); ++i) {
    const double a = folded.real(i), b = actual[static_cast<std::size_t>(i)];
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    EXPECT_NEAR(a, b, std::fabs(b) * c.tolerance) << what << ", element " << i;
  }
}

// False if ONNX Runtime does not know the operator for this type, or we do not fold it.
bool compare(const Case& c) {
  Bench folding, running;
  std::vector<Value*> constants, inputs;
  std::vector<Session::Feed> feeds;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    constants.push_back(folding.emit.constant(c.inputs[i]));
    if (i >= c.fed) {
      inputs.push_back(running.emit.constant(c.inputs[i]));
      continue;
    }
    const std::string name = "x" + std::to_string(i);
    inputs.push_back(running.input(name, c.inputs[i]->dtype(), fixed(c.inputs[i]->shape())));
    feeds.emplace_back(name, array(*c.inputs[i]));
  }
  const auto folded = folding.emit.ops(c.op, constants, c.attributes, c.outputs);
  for (const Value* value : folded)
    if (!value->constant()) return false;
  for (Value* value : running.emit.ops(c.op, inputs, c.attributes, c.outputs)) running.output(value);
  try {
    const auto results = running.session().run(feeds);
    for (std::size_t i = 0; i < folded.size(); ++i) expect_same(c, *folded[i]->data, results[i].tensor());
  } catch (const SessionError& error) {
    if (error.code() == RuntimeCode::not_implemented || error.code() == RuntimeCode::invalid_graph)
      return false;
    throw;
  }
  return true;
}

bool compare_first(Case c) {
  c.fed = 1;
  return compare(c);
}

const std::vector<double> kNumbers = {0, 1, -1, 2.5, -3.5, 7, 0.5, -0.25, 100, 3};

TEST(FoldTest, Unary) {
  int compared = 0;
  for (DType dtype : kAll) {
    for (const char* op :
         {"Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Relu", "Not", "IsNaN", "IsInf", "Sqrt"})
      compared += compare({.op = op, .inputs = {numbers(dtype, {2, 5}, kNumbers)}});
    const double tolerance = dtype == DType::f64 ? 1e-12 : dtype == DType::f32 ? 1e-5 : 1e-2;
    for (const char* op : {"Exp", "Log", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh",
                           "Asinh", "Acosh", "Atanh", "Erf", "Sigmoid", "Reciprocal"})
      compared += compare({.op = op, .inputs = {numbers(dtype, {10}, kNumbers)}, .tolerance = tolerance});
  }
  EXPECT_GT(compared, 60);
}

TEST(FoldTest, Binary) {
  int compared = 0;
  const std::vector<double> left = {5, -7, 100, 3.5, 0, -128, 2, 9}, right = {3, 2, -4, 2, 7, -1.5, 0.5, -2};
  for (DType dtype : kAll) {
    const DataPtr a = numbers(dtype, {2, 4}, left), b = numbers(dtype, {2, 4}, right);
    const DataPtr row = numbers(dtype, {4}, {1, 2, 3, 4});
    for (const char* op : {"Add", "Sub", "Mul", "Min", "Max", "Equal", "Less", "LessOrEqual", "Greater",
                           "GreaterOrEqual", "And", "Or", "Xor"}) {
      compared += compare({.op = op, .inputs = {a, b}});
      compared += compare({.op = op, .inputs = {a, row}});
    }
    compared += compare({.op = "Div", .inputs = {a, row}});
    if (is_integral(dtype)) compared += compare({.op = "Mod", .inputs = {a, row}});
    compared += compare(
        {.op = "Mod", .inputs = {a, row}, .attributes = {{"fmod", std::int64_t{1}}}, .tolerance = 1e-6});
    compared += compare({.op = "Pow", .inputs = {a, row}, .tolerance = 1e-2});
    compared += compare({.op = "Sum", .inputs = {a, b, row}});
  }
  EXPECT_GT(compared, 150);
}

TEST(FoldTest, ModHasTheSignOfTheDivisor) {
  for (DType dtype : {DType::i8, DType::i32, DType::i64})
    EXPECT_TRUE(compare(
        {.op = "Mod", .inputs = {numbers(dtype, {4}, {7, -7, 7, -7}), numbers(dtype, {4}, {3, 3, -3, -3})}}));
}

TEST(FoldTest, Casts) {
  int compared = 0;
  for (DType from : kAll)
    for (DType to : kAll)
      compared += compare({.op = "Cast",
                           .inputs = {numbers(from, {8}, {0, 1, 2, 3.75, 100, 120, 0.1, 65})},
                           .attributes = {{"to", std::int64_t{to_onnx(to)}}}});
  EXPECT_EQ(compared, 13 * 13);
}

TEST(FoldTest, NegativeCasts) {
  for (DType from : {DType::i8, DType::i32, DType::i64, DType::f32, DType::f64, DType::f16})
    for (DType to :
         {DType::i8, DType::i16, DType::i32, DType::i64, DType::f32, DType::f64, DType::f16, DType::bf16})
      EXPECT_TRUE(compare({.op = "Cast",
                           .inputs = {numbers(from, {3}, {-1, -2.75, -100})},
                           .attributes = {{"to", std::int64_t{to_onnx(to)}}}}));
}

TEST(FoldTest, QuantizeLinear) {
  const DataPtr x = numbers(DType::f32, {2, 5}, kNumbers), scale = numbers(DType::f32, {}, {0.3});
  const DataPtr scales = numbers(DType::f32, {5}, {0.5, 0.01, 1, 0.3, 0.25});
  for (DType dtype : {DType::i8, DType::u8, DType::i16, DType::u16}) {
    EXPECT_TRUE(compare_first({.op = "QuantizeLinear", .inputs = {x, scale, numbers(dtype, {}, {3})}}));
    EXPECT_TRUE(compare_first({.op = "QuantizeLinear",
                               .inputs = {x, scales, numbers(dtype, {5}, {0, 1, 2, 3, 100})},
                               .attributes = {{"axis", std::int64_t{1}}}}));
  }
}

TEST(FoldTest, Layout) {
  int compared = 0;
  std::vector<double> many(24);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  const std::int64_t zero = 0, one = 1;
  for (DType dtype : {DType::u8, DType::f16, DType::f32, DType::f64, DType::i32, DType::boolean}) {
    const DataPtr x = numbers(dtype, {2, 3, 4}, many);
    compared += compare_first(
        {.op = "Transpose", .inputs = {x}, .attributes = {{"perm", std::vector<std::int64_t>{2, 0, 1}}}});
    compared += compare_first({.op = "Transpose", .inputs = {x}});
    compared += compare_first({.op = "Reshape", .inputs = {x, ints({0, -1, 2})}});
    compared +=
        compare_first({.op = "Expand", .inputs = {numbers(dtype, {3, 1}, {1, 2, 3}), ints({2, 1, 4})}});
    compared += compare_first(
        {.op = "Slice", .inputs = {x, ints({1, -3}), ints({3, 100}), ints({1, 2}), ints({1, 2})}});
    compared += compare_first({.op = "Squeeze", .inputs = {numbers(dtype, {1, 3, 1}, {1, 2, 3}), ints({0})}});
    compared += compare_first({.op = "Unsqueeze", .inputs = {x, ints({0, -1})}});
    compared += compare_first({.op = "Flatten", .inputs = {x}, .attributes = {{"axis", std::int64_t{2}}}});
    compared += compare_first({.op = "Concat", .inputs = {x, x}, .attributes = {{"axis", one}}});
    compared += compare_first({.op = "Split",
                               .inputs = {x, ints({1, 3})},
                               .attributes = {{"axis", std::int64_t{2}}},
                               .outputs = 2});
    compared += compare_first({.op = "Tile", .inputs = {x, ints({1, 2, 3})}});
    compared +=
        compare_first({.op = "Gather", .inputs = {x, ints({2, 0, -1})}, .attributes = {{"axis", one}}});
    compared += compare_first(
        {.op = "GatherND", .inputs = {x, make<std::int64_t>(DType::i64, {2, 2}, {1, 2, 0, -1})}});
    compared += compare_first(
        {.op = "GatherElements",
         .inputs = {x, make<std::int64_t>(DType::i64, {1, 3, 4}, {0, 1, 1, 0, 0, 0, 1, 1, 1, -1, 0, -2})},
         .attributes = {{"axis", zero}}});
    compared += compare_first({.op = "ScatterND",
                               .inputs = {x, make<std::int64_t>(DType::i64, {1, 2}, {1, 2}),
                                          numbers(dtype, {1, 4}, {9, 8, 7, 6})}});
    compared += compare_first(
        {.op = "Where", .inputs = {numbers(DType::boolean, {3, 1}, {1, 0, 1}), x, numbers(dtype, {}, {5})}});
    compared += compare_first({.op = "NonZero", .inputs = {x}});
    compared += compare_first({.op = "Trilu", .inputs = {x, ints({1})}, .attributes = {{"upper", zero}}});
  }
  EXPECT_GT(compared, 80);
}

TEST(FoldTest, Reductions) {
  int compared = 0;
  const std::vector<double> values = {3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5, 8};
  const std::int64_t zero = 0;
  for (DType dtype : kAll) {
    const DataPtr x = numbers(dtype, {2, 3, 2}, values);
    const double tolerance = is_floating(dtype) ? 1e-2 : 0;
    for (const char* op :
         {"ReduceSum", "ReduceProd", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceSumSquare", "ReduceL2"}) {
      compared += compare_first({.op = op, .inputs = {x, ints({1})}, .tolerance = tolerance});
      compared += compare_first({.op = op,
                                 .inputs = {x, ints({0, -1})},
                                 .attributes = {{"keepdims", zero}},
                                 .tolerance = tolerance});
    }
    for (const char* op : {"ArgMax", "ArgMin"})
      compared += compare_first({.op = op, .inputs = {x}, .attributes = {{"axis", std::int64_t{1}}}});
    compared += compare_first({.op = "CumSum", .inputs = {x, make<std::int64_t>(DType::i64, {}, {1})}});
  }
  EXPECT_GT(compared, 60);
}

TEST(FoldTest, Ranges) {
  for (DType dtype : {DType::i32, DType::i64, DType::f32, DType::f64})
    EXPECT_TRUE(
        compare({.op = "Range",
                 .inputs = {numbers(dtype, {}, {1}), numbers(dtype, {}, {10}), numbers(dtype, {}, {2})}}));
}

TEST(FoldTest, HalfRoundsToNearestEven) {
  for (float value :
       {1.0f, 0.1f, 65504.0f, 65520.0f, 1e-8f, 6e-8f, 6.1e-5f, 2049.0f, 2051.0f, -0.0f, 3.3e-5f})
    EXPECT_TRUE(compare({.op = "Cast",
                         .inputs = {make<float>(DType::f32, {1}, {value})},
                         .attributes = {{"to", std::int64_t{to_onnx(DType::f16)}}}}));
}

}  // namespace
}  // namespace cameo::onnx::testing
