#include "sketch.h"

namespace cameo::rules::testing {
namespace {

// Relu, then the node under test, then Neg: the node goes, or stays.
Applied between(const std::string& op, const std::vector<Ints>& constants, Attributes attributes = {}) {
  Sketch s;
  std::vector<Value*> inputs{s.node("Relu", {s.input({2, 1, 4})})};
  for (const Ints& each : constants) inputs.push_back(s.ints(each));
  s.output(s.node("Neg", {s.node(op, inputs, std::move(attributes))}));
  Applied applied = s.simplified();
  EXPECT_EQ(s.operators().size(), applied.empty() ? 3u : 2u);
  return applied;
}

TEST(Remove, WhatDoesNothing) {
  EXPECT_EQ(between("Identity", {}), (Applied{{"remove-identity", 1}}));
  EXPECT_EQ(between("Transpose", {}, {{"perm", Ints{0, 1, 2}}}), (Applied{{"remove-transpose", 1}}));
  EXPECT_EQ(between("Reshape", {{2, 1, -1}}), (Applied{{"remove-reshape", 1}}));
  EXPECT_EQ(between("Slice", {{0}, {4}, {2}}), (Applied{{"remove-slice", 1}}));
  EXPECT_EQ(between("Expand", {{1, 1, 4}}), (Applied{{"remove-expand", 1}}));
  EXPECT_EQ(between("Pad", {{0, 0, 0, 0, 0, 0}}), (Applied{{"remove-pad", 1}}));
  EXPECT_EQ(between("Cast", {}, {{"to", std::int64_t{1}}}), (Applied{{"remove-cast", 1}}));
}

TEST(Remove, NotWhatDoesSomething) {
  EXPECT_EQ(between("Transpose", {}), Applied{});
  EXPECT_EQ(between("Transpose", {}, {{"perm", Ints{0, 2, 1}}}), Applied{});
  EXPECT_EQ(between("Reshape", {{1, 2, 4}}), Applied{});
  EXPECT_EQ(between("Slice", {{0}, {3}, {2}}), Applied{});
  EXPECT_EQ(between("Slice", {{3}, {-100}, {2}, {-1}}), Applied{});  // backwards, with the same shape
  EXPECT_EQ(between("Expand", {{1, 3, 1}}), Applied{});
  EXPECT_EQ(between("Pad", {{0, 0, 1, 0, 0, -1}}), Applied{});  // shifted, with the same shape
  EXPECT_EQ(between("Cast", {}, {{"to", std::int64_t{11}}}), Applied{});
}

TEST(Remove, ASliceToTheEndOfUnknownSizes) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({2, 3})});
  x->type.shape = std::nullopt;
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  s.output(s.node("Neg", {s.node("Slice", {x, s.ints({0}), s.ints({kEnd}), s.ints({1})})}));
  EXPECT_EQ(s.simplified(), (Applied{{"remove-slice", 1}}));
}

TEST(Remove, ThereAndBack) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({2, 3})});
  Value* wide = s.node("Unsqueeze", {x, s.ints({1})});
  s.output(s.node("Neg", {s.node("Squeeze", {wide, s.ints({1})})}));
  s.output(s.node("Abs", {wide}), "z");
  EXPECT_EQ(s.simplified(), (Applied{{"remove-reshape", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"Relu", "Unsqueeze", "Neg", "Abs"}));
}

TEST(Remove, AnOutputKeepsItsName) {
  Sketch s;
  Value* x = s.node("Relu", {s.input({2, 3})});
  s.output(s.node("Identity", {x}), "wanted");
  s.output(s.node("Neg", {x}), "other");
  EXPECT_EQ(s.simplified(), (Applied{{"remove-identity", 1}}));
  EXPECT_EQ(s.operators(), (Operators{"Relu", "Neg"}));
  EXPECT_EQ(s.model.main().outputs[0]->name, "wanted");
  EXPECT_EQ(s.model.main().nodes[0]->outputs[0]->name, "wanted");
}

TEST(Remove, NotBetweenOutputsAndInputsOrConstants) {
  Sketch s;
  Value* x = s.input({2, 3});
  s.output(s.node("Identity", {x}), "a");
  s.output(s.node("Identity", {s.reals({2})}), "b");
  Value* y = s.output(s.node("Neg", {x}), "c");
  s.output(s.node("Identity", {y}), "d");
  EXPECT_EQ(s.simplified(), Applied{});
}

TEST(Remove, InSubgraphsToo) {
  Sketch s;
  Value* x = s.input({2});
  Value* copy = s.node("Identity", {x});
  const std::vector<std::byte> yes{std::byte{1}};
  Value* condition = s.constant(std::make_shared<onnx::Data>(DType::boolean, Ints{}, yes));
  onnx::Graph* branches[2];
  for (onnx::Graph*& branch : branches) {
    branch = s.model.add_graph(&s.model.main(), "branch");
    Value* inner = s.node("Identity", {copy}, {}, branch);
    Value* result = s.node(&branch == branches ? "Neg" : "Abs", {inner}, {}, branch);
    branch->outputs = {s.node("Identity", {result}, {}, branch)};
  }
  onnx::Node made;
  made.op = "If";
  made.inputs = {condition};
  made.attributes = {{"then_branch", branches[0]}, {"else_branch", branches[1]}};
  made.graph = &s.model.main();
  onnx::Node* node = s.model.add_node(std::move(made));
  Value* y = s.model.add_value(x->type);
  y->producer = node;
  node->outputs = {y};
  s.model.main().nodes.push_back(node);
  s.output(y);
  EXPECT_EQ(s.simplified(), (Applied{{"remove-identity", 5}}));
  EXPECT_EQ(branches[0]->nodes.size(), 1u);
  EXPECT_EQ(branches[0]->nodes[0]->inputs[0], x);
}

}  // namespace
}  // namespace cameo::rules::testing
