#include "onnx/upgrade/upgrade.h"

#include <gtest/gtest.h>

#include "onnx/facts/facts.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

class RaiseTest : public testing::Test, public Maker {
 protected:
  Value* tensor(Shape shape, DType dtype = DType::f32) {
    return model_.add_value({.dtype = dtype, .shape = std::move(shape)});
  }
  Value* constant(DataPtr data) override {
    Value* value = tensor(Shape(data->shape().begin(), data->shape().end()), data->dtype());
    value->data = std::move(data);
    return value;
  }
  Value* op(std::string_view type, std::vector<Value*> inputs, Attributes attributes) override {
    made_.push_back(
        Node{.op = std::string(type), .inputs = std::move(inputs), .attributes = std::move(attributes)});
    const auto results = infer(model_.symbols(), made_.back(), 1, [](const auto&) { return true; });
    return model_.add_value(results.front().type);
  }
  Fidelity upgrade(Node& node, int opset, std::size_t outputs = 1) {
    return onnx::upgrade(node, opset, outputs, *this);
  }
  static Integers integers(const Value* value) {
    Integers list;
    for (std::int64_t i = 0; i < value->data->numel(); ++i) list.push_back(value->data->integer(i));
    return list;
  }

  Model model_;
  std::vector<Node> made_;
};

TEST_F(RaiseTest, MakesInputsOfAttributes) {
  Node slice{.op = "Slice",
             .inputs = {tensor({4, 5})},
             .attributes = {{"starts", Integers{1}}, {"ends", Integers{-1}}, {"axes", Integers{1}}}};
  EXPECT_EQ(upgrade(slice, 9), Fidelity::exact);
  ASSERT_EQ(slice.inputs.size(), 4U);
  EXPECT_EQ(integers(slice.inputs[1]), Integers{1});
  EXPECT_EQ(integers(slice.inputs[2]), Integers{-1});
  EXPECT_EQ(integers(slice.inputs[3]), Integers{1});
  EXPECT_TRUE(slice.attributes.empty());

  Node squeeze{.op = "Squeeze", .inputs = {tensor({1, 5})}, .attributes = {{"axes", Integers{0}}}};
  EXPECT_EQ(upgrade(squeeze, 12), Fidelity::exact);
  EXPECT_EQ(integers(squeeze.inputs.at(1)), Integers{0});

  Node split{.op = "Split", .inputs = {tensor({6})}};
  EXPECT_EQ(upgrade(split, 13, 3), Fidelity::exact);
  EXPECT_EQ(*split.attribute_if<std::int64_t>("num_outputs"), 3);
}

TEST_F(RaiseTest, KeepsTheBoundsOfClip) {
  Node clip{.op = "Clip", .inputs = {tensor({2})}, .attributes = {{"min", 0.0F}}};
  EXPECT_EQ(upgrade(clip, 6), Fidelity::exact);
  ASSERT_EQ(clip.inputs.size(), 3U);
  EXPECT_EQ(clip.inputs[1]->data->real(0), 0);
  EXPECT_EQ(clip.inputs[2]->data->real(0), 3.4028234663852886e38);

  Node first{.op = "Clip", .inputs = {tensor({2})}, .attributes = {{"min", 0.0F}}};
  EXPECT_EQ(upgrade(first, 1), Fidelity::exact);
  EXPECT_EQ(first.inputs.size(), 2U);
}

TEST_F(RaiseTest, AlignsWhatWasBroadcastFromAnAxisOn) {
  Value* bias = tensor({3});
  Node add{.op = "Add",
           .inputs = {tensor({2, 3, 4, 5}), bias},
           .attributes = {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}};
  EXPECT_EQ(upgrade(add, 6), Fidelity::exact);
  ASSERT_EQ(made_.size(), 1U);
  EXPECT_EQ(made_[0].op, "Unsqueeze");
  EXPECT_EQ(integers(made_[0].inputs.at(1)), (Integers{1, 2}));
  EXPECT_EQ(*add.inputs[1]->type.shape, (Shape{3, 1, 1}));
  EXPECT_TRUE(add.attributes.empty());

  Value* ranked = model_.add_value({.dtype = DType::f32, .shape = std::nullopt});
  Node open{.op = "Add",
            .inputs = {ranked, bias},
            .attributes = {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}};
  EXPECT_EQ(upgrade(open, 6), Fidelity::none);
  EXPECT_EQ(open.attributes.size(), 2U);
}

TEST_F(RaiseTest, TakesSoftmaxForTheSameOnTheLastAxisOnly) {
  Node last{.op = "Softmax", .inputs = {tensor({2, 3})}};
  EXPECT_EQ(upgrade(last, 11), Fidelity::exact);
  EXPECT_TRUE(last.attributes.empty());
  Node middle{.op = "Softmax", .inputs = {tensor({2, 3, 4})}};
  EXPECT_EQ(upgrade(middle, 11), Fidelity::types);
  Node now{.op = "Softmax", .inputs = {tensor({2, 3, 4})}};
  EXPECT_EQ(upgrade(now, 13), Fidelity::exact);
  EXPECT_TRUE(now.attributes.empty());
}

TEST_F(RaiseTest, SaysUpsampleByResize) {
  Node up{.op = "Upsample",
          .inputs = {tensor({1, 1, 2, 2})},
          .attributes = {{"scales", std::vector<float>{1, 1, 2, 1.5F}}, {"mode", std::string("nearest")}}};
  EXPECT_EQ(upgrade(up, 7), Fidelity::exact);
  EXPECT_EQ(up.op, "Resize");
  ASSERT_EQ(up.inputs.size(), 3U);
  EXPECT_EQ(up.inputs[1], nullptr);
  EXPECT_EQ(up.inputs[2]->data->real(3), 1.5);
  EXPECT_EQ(*up.attribute_if<std::string>("coordinate_transformation_mode"), "asymmetric");
  EXPECT_EQ(*up.attribute_if<std::string>("nearest_mode"), "floor");

  const std::vector<float> mixed{1, 1, 2, 0.5F};
  Node both{.op = "Resize",
            .inputs = {tensor({1, 1, 2, 2}), constant(Data::of<float>(DType::f32, {4}, mixed))}};
  EXPECT_EQ(upgrade(both, 10), Fidelity::types);
}

TEST_F(RaiseTest, TellsTrainingFromInference) {
  const auto normalization = [&] {
    return Node{.op = "BatchNormalization",
                .inputs = {tensor({1, 3, 2}), tensor({3}), tensor({3}), tensor({3}), tensor({3})}};
  };
  Node inference = normalization();
  EXPECT_EQ(upgrade(inference, 9), Fidelity::exact);
  Node training = normalization();
  EXPECT_EQ(upgrade(training, 9, 5), Fidelity::types);
  Node old = normalization();
  old.attributes = {{"is_test", std::int64_t{1}}, {"consumed_inputs", Integers{0, 0, 0, 1, 1}}};
  EXPECT_EQ(upgrade(old, 5), Fidelity::exact);
  EXPECT_TRUE(old.attributes.empty());
}

TEST_F(RaiseTest, LeavesWhatItDoesNotKnow) {
  Node custom{.op = "Add", .domain = "my.domain", .inputs = {tensor({1}), tensor({1})}};
  EXPECT_EQ(upgrade(custom, 17), Fidelity::none);
  Node newer{.op = "Gelu", .inputs = {tensor({1})}};
  EXPECT_EQ(upgrade(newer, 17), Fidelity::none);
  Node future{.op = "Relu", .inputs = {tensor({1})}};
  EXPECT_EQ(upgrade(future, 1000), Fidelity::none);
  Node gone{.op = "Scatter", .inputs = {tensor({1}), tensor({1}, DType::i64), tensor({1})}};
  EXPECT_EQ(upgrade(gone, 11), Fidelity::none);
  EXPECT_EQ(upgrade(gone, 9), Fidelity::exact);
  EXPECT_EQ(gone.op, "ScatterElements");
}

// A step removes attributes that an older version has and the newest one lacks.
TEST_F(RaiseTest, LeavesNoAttributeThatTheNewestFormLacks) {
  for (const facts::Operator& version : facts::operators()) {
    if (version.domain != "ai.onnx" || version.deprecated) continue;
    const auto all = facts::versions("", version.name);
    if (all.back().deprecated) continue;
    Node node{.op = std::string(version.name)};
    for (const auto& input : version.inputs) {
      const bool single = input.arity != facts::Arity::optional;
      node.inputs.push_back(single ? tensor({2, 3, 4, 5}) : nullptr);
    }
    for (const auto& attribute : version.attributes) {
      const std::string name(attribute.name);
      using facts::Kind;
      if (attribute.kind == Kind::integer) node.attributes.push_back({name, std::int64_t{1}});
      if (attribute.kind == Kind::real) node.attributes.push_back({name, 1.0F});
      if (attribute.kind == Kind::integers) node.attributes.push_back({name, Integers{1}});
      if (attribute.kind == Kind::string) node.attributes.push_back({name, std::string("FLOAT")});
    }
    if (upgrade(node, version.since) == Fidelity::none) continue;
    for (const Attribute& attribute : node.attributes)
      EXPECT_NE(all.back().attribute(attribute.name), nullptr)
          << version.name << " of opset " << version.since << " keeps " << attribute.name;
  }
}

}  // namespace
}  // namespace cameo::onnx
