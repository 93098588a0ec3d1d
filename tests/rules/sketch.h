#pragma once
// A graph made by hand: nodes are added unchanged, without folding and reuse.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cameo/opset.h"
#include "cameo/session.h"
#include "onnx/graph/finish.h"
#include "onnx/infer/infer.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/encode.h"
#include "rules/rules.h"

namespace cameo::rules::testing {

using onnx::Attributes;
using onnx::Value;
using Ints = std::vector<std::int64_t>;
using Applied = std::vector<std::pair<std::string, std::int64_t>>;
using Operators = std::vector<std::string>;

class Sketch {
 public:
  explicit Sketch(int opset = kDefaultOpset) { model.opset = opset; }

  Value* input(const Ints& shape, DType dtype = DType::f32, onnx::Graph* graph = nullptr) {
    onnx::Graph& home = graph ? *graph : model.main();
    Value* value = model.add_value({.dtype = dtype, .shape = onnx::Shape(shape.begin(), shape.end())},
                                   "in_" + std::to_string(home.inputs.size()));
    value->graph = &home;
    home.inputs.push_back(value);
    return value;
  }

  Value* constant(onnx::DataPtr data) {
    Value* value = model.add_value(
        {.dtype = data->dtype(), .shape = onnx::Shape(data->shape().begin(), data->shape().end())});
    value->data = std::move(data);
    return value;
  }
  Value* ints(const Ints& values) {
    return constant(onnx::Data::of<std::int64_t>(DType::i64, {static_cast<std::int64_t>(values.size())},
                                                 std::span<const std::int64_t>(values)));
  }
  // Numbers between 0.5 and 1.5.
  Value* reals(const Ints& shape, DType dtype = DType::f32) {
    std::int64_t count = 1;
    for (std::int64_t dim : shape) count *= dim;
    std::vector<float> single;
    std::vector<double> twice;
    for (std::int64_t i = 0; i < count; ++i) {
      twice.push_back(1 + 0.5 * std::sin(0.7 * static_cast<double>(++seed_)));
      single.push_back(static_cast<float>(twice.back()));
    }
    return constant(dtype == DType::f64
                        ? onnx::Data::of<double>(dtype, shape, std::span<const double>(twice))
                        : onnx::Data::of<float>(dtype, shape, std::span<const float>(single)));
  }

  Value* node(const std::string& op, std::vector<Value*> inputs, Attributes attributes = {},
              onnx::Graph* graph = nullptr) {
    onnx::Node made;
    made.op = op;
    made.inputs = std::move(inputs);
    made.attributes = std::move(attributes);
    made.graph = graph ? graph : &model.main();
    const auto results = onnx::infer(model.symbols(), made, 1, [](const onnx::Dim&) { return true; });
    onnx::Node* kept = model.add_node(std::move(made));
    kept->graph->nodes.push_back(kept);
    Value* value = model.add_value(results.front().type);
    value->producer = kept;
    kept->outputs = {value};
    return value;
  }
  Value* cast(Value* x, DType to) { return node("Cast", {x}, {{"to", std::int64_t{onnx::to_onnx(to)}}}); }
  Value* batch_norm(Value* x, std::int64_t channels, DType dtype = DType::f32) {
    return node("BatchNormalization", {x, reals({channels}, dtype), reals({channels}, dtype),
                                       reals({channels}, dtype), reals({channels}, dtype)});
  }

  Value* output(Value* value, const std::string& name = "y") {
    value->name = name;
    model.main().outputs.push_back(value);
    return value;
  }

  Operators operators() const {
    Operators names;
    for (const onnx::Node* each : model.main().nodes) names.push_back(each->op);
    return names;
  }

  // Applies the rules, and expects the same numbers before and after.
  Applied simplified(const Options& options = {}) {
    const auto before = run();
    Applied applied = simplify(model, options);
    onnx::verify(model);
    const auto after = run();
    EXPECT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
      EXPECT_THAT(after[i], ::testing::Pointwise(::testing::DoubleNear(1e-5), before[i]));
    return applied;
  }

  // The ONNX file of the model, which must be finished.
  std::string bytes() const {
    onnx::proto::Texts texts;
    return encode(onnx::Lowering(texts).model(model));
  }

  std::vector<std::vector<double>> run() {
    onnx::finish(model);
    onnx::verify(model);
    const std::string file = bytes();
    const Session session(std::as_bytes(std::span(file)),
                          {.optimization = SessionOptions::Optimization::none});
    std::vector<Session::Feed> feeds;
    for (const Value* each : model.main().inputs) feeds.emplace_back(each->name, example(*each));
    std::vector<std::vector<double>> results;
    for (const Datum& result : session.run(feeds)) results.push_back(result.tensor().to_doubles());
    return results;
  }

  onnx::Model model;

 private:
  static Array example(const Value& value) {
    Ints shape;
    std::size_t count = 1;
    for (const onnx::Dim& dim : *value.type.shape) {
      shape.push_back(onnx::known(dim).value_or(2));
      count *= static_cast<std::size_t>(shape.back());
    }
    std::vector<float> numbers;
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(std::sin(static_cast<float>(i)) * (value.dtype() == DType::f32 ? 1.0f : 100.0f));
    auto as = [&]<class T>(T) { return Array::of<T>(shape, std::vector<T>(numbers.begin(), numbers.end())); };
    switch (value.dtype()) {
      case DType::f64: return as(double{});
      case DType::i64: return as(std::int64_t{});
      case DType::i32: return as(std::int32_t{});
      case DType::i8: return as(std::int8_t{});
      default: return as(float{});
    }
  }

  int seed_ = 0;
};

}  // namespace cameo::rules::testing
