#include "sketch.h"

namespace cameo::rules::testing {
namespace {

Value* number(Sketch& s, float value, const Ints& shape = {}) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  const std::vector<float> numbers(static_cast<std::size_t>(count), value);
  return s.constant(onnx::Data::of<float>(DType::f32, shape, std::span<const float>(numbers)));
}

Applied with(const std::string& op, float value, const Ints& shape = {}, bool on_the_left = false) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({2, 3})});
  Value* operand = number(s, value, shape);
  s.output(s.node("Neg", {on_the_left ? s.node(op, {operand, x}) : s.node(op, {x, operand})}));
  return s.simplified();
}

TEST(RemoveNeutral, WhatChangesNothing) {
  const Applied once{{"remove-neutral", 1}};
  EXPECT_EQ(with("Add", 0), once);
  EXPECT_EQ(with("Add", 0, {}, true), once);
  EXPECT_EQ(with("Sub", 0, {1, 3}), once);
  EXPECT_EQ(with("Mul", 1, {2, 3}), once);
  EXPECT_EQ(with("Div", 1), once);
  EXPECT_EQ(with("Pow", 1), once);
}

TEST(RemoveNeutral, NotWhatDoes) {
  EXPECT_EQ(with("Add", 1), Applied{});
  EXPECT_EQ(with("Sub", 0, {}, true), Applied{});
  EXPECT_EQ(with("Div", 1, {}, true), Applied{});
  EXPECT_EQ(with("Mul", 1, {4, 1, 1}), Applied{});  // one axis more
}

TEST(RemoveDropout, UnlessItTrainsOrItsMaskIsRead) {
  for (const bool trains : {false, true}) {
    Sketch s;
    Value* x = s.node("Relu", {s.input({2, 3})});
    const bool flag[] = {trains};
    Value* training = s.constant(onnx::Data::of<bool>(DType::boolean, {}, std::span<const bool>(flag)));
    s.output(s.node("Neg", {s.node("Dropout", {x, nullptr, training})}));
    EXPECT_EQ(simplify(s.model), trains ? Applied{} : (Applied{{"remove-dropout", 1}}));
  }
  Sketch s;
  onnx::Node* dropout = s.node("Dropout", {s.node("Relu", {s.input({2, 3})})})->producer;
  Value* mask = s.model.add_value({.dtype = DType::boolean, .shape = onnx::Shape{2, 3}});
  mask->producer = dropout;
  dropout->outputs.push_back(mask);
  s.output(s.node("Neg", {dropout->outputs[0]}));
  s.output(s.node("Not", {mask}), "dropped");
  EXPECT_EQ(simplify(s.model), Applied{});
}

TEST(RemoveSingle, OfOneValue) {
  for (const char* op : {"Concat", "Max", "Mean", "Min", "Sum"}) {
    Sketch s;
    const Attributes axis =
        op == std::string("Concat") ? Attributes{{"axis", std::int64_t{0}}} : Attributes{};
    s.output(s.node("Neg", {s.node(op, {s.node("Relu", {s.input({2, 3})})}, axis)}));
    EXPECT_EQ(s.simplified(), (Applied{{"remove-single", 1}})) << op;
  }
}

TEST(RemoveRepeated, OfTwoInARow) {
  Sketch s;
  Value* x = s.input({2, 3});
  s.output(s.node("Neg", {s.node("Relu", {s.node("Relu", {x})})}));
  s.output(s.node("Abs", {s.node("Neg", {s.node("Neg", {x})})}), "z");
  EXPECT_EQ(s.simplified(), (Applied{{"remove-repeated", 1}}));
}

TEST(OnRequest, TheseKeepTheMeaningButNotEveryNumber) {
  auto sketch = [](Sketch& s) {
    Value* soft = s.node("Softmax", {s.input({2, 3})}, {{"axis", std::int64_t{-1}}});
    s.output(s.node("ArgMax", {soft}, {{"axis", std::int64_t{1}}}));
    Value* other = s.node("Softmax", {s.input({2, 3})}, {{"axis", std::int64_t{0}}});
    s.output(s.node("ArgMax", {other}, {{"axis", std::int64_t{1}}}), "across");
    s.output(s.node("Log", {s.node("Softmax", {s.input({2, 3})})}), "log");
  };
  Sketch by_default, also, only;
  for (Sketch* s : {&by_default, &also, &only}) sketch(*s);
  EXPECT_EQ(by_default.simplified(), Applied{});
  EXPECT_EQ(also.simplified({.also = {"merge-log-softmax", "remove-monotone"}}),
            (Applied{{"merge-log-softmax", 1}, {"remove-monotone", 1}}));
  EXPECT_EQ(only.simplified({.only = {"remove-monotone"}}), (Applied{{"remove-monotone", 1}}));
}

}  // namespace
}  // namespace cameo::rules::testing
