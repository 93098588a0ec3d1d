// Symbolic shapes, held against the shapes that come out when ONNX Runtime runs the operator.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bench.h"
#include "onnx/fold/element.h"

namespace cameo::onnx::testing {
namespace {

using List = std::vector<std::int64_t>;
constexpr std::int64_t kOne = 1, kTwo = 2;

// A graph whose sizes are formulas of n, h and w.
struct Lab : Bench {
  Lab() {
    n = emit.sym().symbol("n");
    h = emit.sym().symbol("h");
    w = emit.sym().symbol("w");
  }
  Value* in(Shape shape, DType dtype = DType::f32) {
    return input("x" + std::to_string(model.main().inputs.size()), dtype, std::move(shape));
  }
  Value* image() { return in({n, 4, h, w}); }
  Value* filled(List shape, double value = 0.5, DType dtype = DType::f32) {
    return emit.expand(emit.scalar(dtype, value), {shape.begin(), shape.end()});
  }
  void op(std::string_view type, std::vector<Value*> inputs, Attributes attributes = {},
          std::size_t outputs = 1) {
    for (Value* value : emit.ops(type, std::move(inputs), std::move(attributes), outputs))
      results.push_back(value);
  }

  Dim n, h, w;
  std::vector<Value*> results;
};

struct Case {
  const char* name;
  void (*make)(Lab&);
};
void PrintTo(const Case& test, std::ostream* out) {  // NOLINT(readability-identifier-naming): as gtest wants
  *out << test.name;
}

const Case kCases[] = {
    {"Conv",
     [](Lab& l) {
       l.op("Conv", {l.image(), l.filled({6, 4, 3, 3})},
            {{"pads", List{1, 0, 1, 2}}, {"strides", List{2, 3}}, {"dilations", List{1, 2}}});
     }},
    {"ConvGroups",
     [](Lab& l) {
       l.op("Conv", {l.image(), l.filled({4, 1, 2, 2})}, {{"group", std::int64_t{4}}});
     }},
    {"ConvTranspose",
     [](Lab& l) {
       l.op("ConvTranspose", {l.image(), l.filled({4, 3, 3, 2})},
            {{"strides", List{2, 2}}, {"pads", List{1, 0, 1, 0}}, {"output_padding", List{1, 0}}});
     }},
    {"MaxPool",
     [](Lab& l) {
       l.op("MaxPool", {l.image()},
            {{"kernel_shape", List{3, 2}}, {"strides", List{2, 2}}, {"pads", List{1, 0, 1, 1}}}, 2);
     }},
    {"MaxPoolCeil",
     [](Lab& l) {
       l.op("MaxPool", {l.image()},
            {{"kernel_shape", List{3, 3}}, {"strides", List{2, 2}}, {"ceil_mode", kOne}});
     }},
    {"AveragePool",
     [](Lab& l) {
       l.op("AveragePool", {l.image()}, {{"kernel_shape", List{2, 2}}, {"strides", List{2, 1}}});
     }},
    {"GlobalAveragePool", [](Lab& l) { l.op("GlobalAveragePool", {l.image()}); }},
    {"GlobalMaxPool", [](Lab& l) { l.op("GlobalMaxPool", {l.image()}); }},
    {"LpPool",
     [](Lab& l) {
       l.op("LpPool", {l.image()}, {{"kernel_shape", List{2, 2}}});
     }},
    {"MatMul",
     [](Lab& l) {
       l.op("MatMul", {l.in({l.n, 1, l.h, 3}), l.in({5, 3, l.w})});
     }},
    {"MatMulVector",
     [](Lab& l) {
       l.op("MatMul", {l.in({l.n, l.h, 3}), l.in({3})});
     }},
    {"Gemm",
     [](Lab& l) {
       l.op("Gemm", {l.in({3, l.n}), l.in({l.h, 3}), l.in({l.h})}, {{"transA", kOne}, {"transB", kOne}});
     }},
    {"Einsum",
     [](Lab& l) {
       l.op("Einsum", {l.in({l.n, l.h, 3}), l.in({l.n, 3, l.w})},
            {{"equation", std::string("bij,bjk->bki")}});
     }},
    {"EinsumImplicit",
     [](Lab& l) {
       l.op("Einsum", {l.in({l.h, 3}), l.in({3, l.w})}, {{"equation", std::string("zj,ja")}});
     }},
    {"ReduceMean",
     [](Lab& l) {
       l.op("ReduceMean", {l.image(), l.emit.ints({-1, 1})}, {{"keepdims", std::int64_t{0}}});
     }},
    {"ReduceSumAll", [](Lab& l) { l.op("ReduceSum", {l.image()}); }},
    {"ArgMax",
     [](Lab& l) {
       l.op("ArgMax", {l.image()}, {{"axis", kTwo}, {"keepdims", std::int64_t{0}}});
     }},
    {"Transpose",
     [](Lab& l) {
       l.op("Transpose", {l.image()}, {{"perm", List{3, 1, 0, 2}}});
     }},
    {"Reshape",
     [](Lab& l) {
       l.op("Reshape", {l.image(), l.emit.ints({0, 2, -1})});
     }},
    {"Flatten",
     [](Lab& l) {
       l.op("Flatten", {l.image()}, {{"axis", kTwo}});
     }},
    {"Squeeze",
     [](Lab& l) {
       l.op("Squeeze", {l.in({l.n, 1, l.h, 1}), l.emit.ints({1, -1})});
     }},
    {"Unsqueeze",
     [](Lab& l) {
       l.op("Unsqueeze", {l.in({l.n, l.h}), l.emit.ints({-1, 0})});
     }},
    {"Expand",
     [](Lab& l) {
       l.in({l.w});
       l.op("Expand", {l.in({l.n, 1}), l.emit.dims({2, 1, l.w})});
     }},
    {"Concat",
     [](Lab& l) {
       l.op("Concat", {l.in({l.n, l.h}), l.in({l.n, 3}), l.in({l.n, l.w})}, {{"axis", kOne}});
     }},
    {"Slice",
     [](Lab& l) {
       l.op("Slice", {l.image(), l.emit.ints({1, -3}), l.emit.ints({-1, 1000}), l.emit.ints({2, 3}),
                      l.emit.ints({2, 1})});
     }},
    {"SliceBackwards",
     [](Lab& l) {
       l.op("Slice", {l.in({l.h}), l.emit.ints({-1}), l.emit.ints({std::numeric_limits<std::int64_t>::min()}),
                      l.emit.ints({0}), l.emit.ints({-2})});
     }},
    {"SliceByFormula",
     [](Lab& l) {
       l.op("Slice",
            {l.in({l.h}), l.emit.dims({sym::floordiv(l.h, 2)}), l.emit.dims({l.h - 1}), l.emit.ints({0})});
     }},
    {"Split",
     [](Lab& l) {
       l.op("Split", {l.in({l.n, l.h})}, {{"axis", kOne}, {"num_outputs", std::int64_t{3}}}, 3);
     }},
    {"SplitSizes",
     [](Lab& l) {
       l.op("Split", {l.in({l.n, l.h}), l.emit.dims({2, l.h - 2})}, {{"axis", kOne}}, 2);
     }},
    {"Tile",
     [](Lab& l) {
       l.op("Tile", {l.in({l.n, l.h}), l.emit.ints({2, 3})});
     }},
    {"Pad",
     [](Lab& l) {
       l.op("Pad", {l.image(), l.emit.ints({1, -1, 2, 3}), nullptr, l.emit.ints({-1, 2})});
     }},
    {"DepthToSpace",
     [](Lab& l) {
       l.op("DepthToSpace", {l.image()}, {{"blocksize", kTwo}});
     }},
    {"SpaceToDepth",
     [](Lab& l) {
       l.op("SpaceToDepth", {l.in({l.n, 2, l.h * 2, 4})}, {{"blocksize", kTwo}});
     }},
    {"Gather",
     [](Lab& l) {
       l.op("Gather", {l.image(), l.filled({2, 3}, 1, DType::i64)}, {{"axis", kTwo}});
     }},
    {"GatherElements",
     [](Lab& l) {
       l.op("GatherElements", {l.in({l.n, l.h}), l.filled({1, 3}, 0, DType::i64)}, {{"axis", kOne}});
     }},
    {"GatherND",
     [](Lab& l) {
       l.op("GatherND", {l.image(), l.filled({3, 2}, 0, DType::i64)});
     }},
    {"ScatterElements",
     [](Lab& l) {
       l.op("ScatterElements", {l.in({l.n, l.h}), l.filled({1, 2}, 0, DType::i64), l.filled({1, 2})},
            {{"axis", kOne}});
     }},
    {"ScatterND",
     [](Lab& l) {
       l.op("ScatterND", {l.in({l.n, l.h}), l.filled({3, 2}, 0, DType::i64), l.filled({3})});
     }},
    {"NonZero", [](Lab& l) { l.op("NonZero", {l.image()}); }},
    {"Compress",
     [](Lab& l) {
       l.op("Compress", {l.image(), l.filled({3}, 1, DType::boolean)}, {{"axis", kOne}});
     }},
    {"OneHot",
     [](Lab& l) {
       l.op("OneHot",
            {l.in({l.n, l.h}, DType::i64), l.emit.scalar(DType::i64, std::int64_t{5}), l.filled({2})},
            {{"axis", kOne}});
     }},
    {"TopK",
     [](Lab& l) {
       l.op("TopK", {l.in({l.n, l.h}), l.emit.ints({2})}, {}, 2);
     }},
    {"Unique",
     [](Lab& l) {
       l.op("Unique", {l.in({l.n, l.h})}, {}, 4);
     }},
    {"Range",
     [](Lab& l) {
       l.in({l.h});
       l.op("Range", {l.emit.scalar(DType::i64, std::int64_t{1}), l.emit.dim(l.h),
                      l.emit.scalar(DType::i64, std::int64_t{2})});
     }},
    {"ConstantOfShape",
     [](Lab& l) {
       l.in({l.h});
       l.op("ConstantOfShape", {l.emit.dims({l.h, 2})});
     }},
    {"EyeLike",
     [](Lab& l) {
       l.op("EyeLike", {l.in({l.h, l.w})});
     }},
    {"RandomNormalLike", [](Lab& l) { l.op("RandomNormalLike", {l.image()}); }},
    {"LSTM",
     [](Lab& l) {
       l.op("LSTM", {l.in({l.h, l.n, 3}), l.filled({2, 20, 3}), l.filled({2, 20, 5})},
            {{"hidden_size", std::int64_t{5}}, {"direction", std::string("bidirectional")}}, 3);
     }},
    {"GRU",
     [](Lab& l) {
       l.op("GRU", {l.in({l.h, l.n, 3}), l.filled({1, 15, 3}), l.filled({1, 15, 5})},
            {{"hidden_size", std::int64_t{5}}}, 2);
     }},
    {"RNN",
     [](Lab& l) {
       l.op("RNN", {l.in({l.h, l.n, 3}), l.filled({1, 5, 3}), l.filled({1, 5, 5})},
            {{"hidden_size", std::int64_t{5}}}, 2);
     }},
    {"BatchNormalization",
     [](Lab& l) {
       l.op("BatchNormalization", {l.image(), l.filled({4}), l.filled({4}), l.filled({4}), l.filled({4})});
     }},
    {"LayerNormalization",
     [](Lab& l) {
       l.op("LayerNormalization", {l.in({l.n, l.h, 5}), l.filled({5}), l.filled({5})}, {}, 3);
     }},
    {"InstanceNormalization",
     [](Lab& l) {
       l.op("InstanceNormalization", {l.image(), l.filled({4}), l.filled({4})});
     }},
    {"GroupNormalization",
     [](Lab& l) {
       l.op("GroupNormalization", {l.image(), l.filled({4}), l.filled({4})}, {{"num_groups", kTwo}});
     }},
    {"ResizeSizes",
     [](Lab& l) {
       l.op("Resize", {l.image(), nullptr, nullptr, l.emit.dims({l.h + 3, 5})}, {{"axes", List{2, 3}}});
     }},
    {"ResizeTwice",
     [](Lab& l) {
       const std::vector<float> scales{1, 1, 2, 0.5f};
       l.op("Resize",
            {l.image(), nullptr, l.emit.constant(Data::of<float>(DType::f32, {4}, std::span(scales)))},
            {{"mode", std::string("linear")}});
     }},
    {"GridSample",
     [](Lab& l) {
       l.op("GridSample", {l.image(), l.in({l.n, 3, l.w, 2})}, {{"mode", std::string("linear")}});
     }},
    {"QuantizeLinear",
     [](Lab& l) {
       Value* scale = l.emit.scalar(DType::f32, 0.1);
       Value* zero = l.emit.scalar(DType::i8, std::int64_t{0});
       l.op("QuantizeLinear", {l.image(), scale, zero});
       l.op("DequantizeLinear", {l.results[0], scale, zero});
     }},
    {"DynamicQuantizeLinear", [](Lab& l) { l.op("DynamicQuantizeLinear", {l.image()}, {}, 3); }},
    {"Broadcast",
     [](Lab& l) {
       l.op("Add", {l.in({l.n, 1, l.w}), l.in({l.h, 1})});
       l.op("Where", {l.in({l.w}, DType::boolean), l.results[0], l.emit.scalar(DType::f32, 0.0)});
     }},
    {"BroadcastUnknown",
     [](Lab& l) {
       l.op("Add", {l.in({l.n}), l.in({l.emit.sym().symbol("n")})});
     }},
    {"Trilu", [](Lab& l) { l.op("Trilu", {l.image()}); }},
    {"CumSum",
     [](Lab& l) {
       l.op("CumSum", {l.image(), l.emit.scalar(DType::i64, kTwo)});
     }},
    {"NonMaxSuppression",
     [](Lab& l) {
       l.op("NonMaxSuppression", {l.in({1, l.h, 4}), l.in({1, 2, l.h}), l.emit.ints({3})});
     }},
    {"RoiAlign",
     [](Lab& l) {
       l.op("RoiAlign",
            {l.image(), l.in({l.h, 4}),
             l.emit.op("Mul", {l.in({l.h}, DType::i64), l.emit.scalar(DType::i64, std::int64_t{0})})},
            {{"output_height", kTwo}, {"output_width", std::int64_t{3}}});
     }},
    {"Sequence",
     [](Lab& l) {
       Value* list = l.emit.op("SplitToSequence", {l.in({l.n, l.h}), l.emit.scalar(DType::i64, kTwo)},
                               {{"axis", kOne}});
       l.op("SequenceAt", {list, l.emit.scalar(DType::i64, std::int64_t{-1})});
       l.op("SequenceLength", {list});
       l.op("ConcatFromSequence", {list}, {{"axis", kOne}});
     }},
    {"DFT",
     [](Lab& l) {
       l.op("DFT", {l.in({l.n, l.h, 1}), nullptr, l.emit.scalar(DType::i64, kOne)}, {{"onesided", kOne}});
     }},
    {"STFT",
     [](Lab& l) {
       l.op("STFT", {l.in({l.n, l.h * 8}), l.emit.scalar(DType::i64, std::int64_t{4}), l.filled({8})});
     }},
};

Array zeros_and_more(DType dtype, const List& shape) {
  std::int64_t count = 1;
  for (std::int64_t dim : shape) count *= dim;
  std::vector<std::byte> bytes;
  with_type(dtype, [&]<class T>(Tag<T>) {
    std::vector<T> elements;
    for (std::int64_t i = 0; i < count; ++i)
      elements.push_back(static_cast<T>(dtype == DType::boolean ? i % 2 : i * 7 % 5));
    narrow(dtype, elements, bytes);
  });
  return Array::owning(static_cast<ElementType>(to_onnx(dtype)), shape, std::move(bytes));
}

class InferTest : public ::testing::TestWithParam<Case> {};

TEST_P(InferTest, FormulasTellTheShapes) {
  Lab lab;
  GetParam().make(lab);
  for (Value*& result : lab.results) result = lab.output(result);
  const Session session = lab.session();
  int known_dims = 0;
  for (const auto& [n, h, w] : {std::tuple{1, 6, 5}, std::tuple{2, 9, 8}, std::tuple{3, 7, 11}}) {
    std::unordered_map<Dim, std::int64_t> values{{lab.n, n}, {lab.h, h}, {lab.w, w}};
    if (const auto other = lab.emit.sym().find_symbol("n_1")) values[*other] = n;
    std::vector<Session::Feed> feeds;
    for (const Value* input : lab.model.main().inputs) {
      List shape;
      for (const Dim& dim : *input->type.shape) shape.push_back(sym::evaluate(dim, values).value_or(n));
      feeds.emplace_back(input->name, zeros_and_more(input->dtype(), shape));
    }
    const auto outputs = session.run(feeds);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Type& type = lab.results[i]->type;
      const Array& actual = outputs[i].tensor();
      EXPECT_EQ(static_cast<int>(actual.type()), to_onnx(type.dtype));
      ASSERT_TRUE(type.shape.has_value());
      ASSERT_EQ(actual.shape().size(), type.shape->size()) << to_string(type);
      for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
        const auto expected = sym::evaluate((*type.shape)[axis], values);
        if (!expected) continue;  // a symbol of its own: nothing is claimed
        ++known_dims;
        EXPECT_EQ(actual.shape()[axis], *expected)
            << "output " << i << ", axis " << axis << ": " << to_string(type) << " at " << n << ", " << h
            << ", " << w;
      }
    }
  }
  EXPECT_GT(known_dims, 0);
}

INSTANTIATE_TEST_SUITE_P(Operators, InferTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace cameo::onnx::testing
