#include <gmock/gmock.h>

#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using testing::attribute;
using ::testing::ElementsAre;
using testing::faults;
using testing::integer;
using ::testing::IsEmpty;
using testing::node;
using testing::valid;

// The valid model with its second node replaced.
proto::Model with(proto::Node changed) {
  proto::Model model = valid();
  model.graph->nodes[1] = std::move(changed);
  return model;
}

proto::Node with_attribute(proto::Node changed, proto::Attribute attribute) {
  changed.attributes.push_back(std::move(attribute));
  return changed;
}

TEST(CheckNode, Operators) {
  EXPECT_THAT(faults(with(node("", {"sum"}, {"y"}, "n"))),
              ElementsAre("no-operator: node 'n': it names no operator"));
  EXPECT_THAT(faults(with(node("Rleu", {"sum"}, {"y"}))),
              ElementsAre("unknown-operator: Rleu (node 1): ai.onnx has no such operator | did you mean "
                          "'Relu'?"));
  EXPECT_THAT(
      faults(with(node("Gelu", {"sum"}, {"y"}))),
      ElementsAre("needs-newer-opset: Gelu (node 1): it exists from opset 20 on, and the model imports opset "
                  "17"));
  EXPECT_THAT(faults(with(node("Scatter", {"sum", "i", "u"}, {"y"})))[2],
              "deprecated-operator: Scatter (node 1): it is deprecated since opset 11");
  proto::Model model = valid();
  model.graph->nodes.push_back(node("Relu", {}, {}));
  EXPECT_THAT(faults(model), ElementsAre("empty-node: Relu (node 2): it has neither inputs nor outputs",
                                         "input-count: Relu (node 2): it takes 1 input, but 0 are given",
                                         "output-count: Relu (node 2): it has 1 output, but 0 are given"));
}

TEST(CheckNode, Domains) {
  proto::Node custom = node("Frobnicate", {"sum"}, {"y"});
  custom.domain = "com.example";
  proto::Model model = with(std::move(custom));
  EXPECT_THAT(
      faults(model),
      ElementsAre("domain-not-imported: Frobnicate (node 1): the domain 'com.example' is not imported"));
  model.opset_imports.push_back(testing::import("com.example", 1));
  EXPECT_THAT(faults(model),
              ElementsAre("warning unchecked-domain: Frobnicate (node 1): the operators of the domain "
                          "'com.example' are not known and were not checked"));
  model = valid();
  model.opset_imports[0].version = 99;
  EXPECT_THAT(faults(model),
              ElementsAre("warning unchecked-domain: Add 'add': ONNX is known up to opset 28; operators "
                          "of opset 99 were not checked"));
}

TEST(CheckNode, Arity) {
  EXPECT_THAT(faults(with(node("Relu", {"sum", "x"}, {"y"}))),
              ElementsAre("input-count: Relu (node 1): it takes 1 input, but 2 are given"));
  EXPECT_THAT(faults(with(node("Clip", {}, {"y"}))),
              ElementsAre("input-count: Clip (node 1): it takes 1 to 3 inputs, but 0 are given"));
  EXPECT_THAT(faults(with(node("Sum", {}, {"y"}))),
              ElementsAre("input-count: Sum (node 1): it takes at least 1 input, but 0 are given"));
  EXPECT_THAT(faults(with(node("Relu", {"sum"}, {"y", "z"}))),
              ElementsAre("output-count: Relu (node 1): it has 1 output, but 2 are given"));
  EXPECT_THAT(faults(with(node("Add", {"sum", ""}, {"y"}))),
              ElementsAre("missing-input: Add (node 1): its input 'B' cannot be left out"));
  EXPECT_THAT(faults(with(node("Clip", {"sum", "", "x"}, {"y"}))), IsEmpty());
  EXPECT_THAT(faults(with(node("Relu", {"sum"}, {""})))[0],
              "missing-output: Relu (node 1): its output 'Y' cannot be left out");
}

TEST(CheckNode, Attributes) {
  const auto softmax = [] { return node("Softmax", {"sum"}, {"y"}); };
  EXPECT_THAT(faults(with(with_attribute(softmax(), integer("axis", 1)))), IsEmpty());
  EXPECT_THAT(faults(with(with_attribute(softmax(), integer("__mine", 1)))), IsEmpty());
  EXPECT_THAT(
      faults(with(with_attribute(softmax(), integer("axes", 1)))),
      ElementsAre(
          "unknown-attribute: Softmax (node 1): it has no attribute 'axes' in opset 13 | did you mean "
          "'axis'?"));
  EXPECT_THAT(faults(with(with_attribute(softmax(), attribute("axis", 7)))),
              ElementsAre("attribute-type: Softmax (node 1): its attribute 'axis' is INTS, and must be INT"));
  EXPECT_THAT(faults(with(with_attribute(with_attribute(softmax(), integer("axis", 1)), integer("axis", 1)))),
              ElementsAre("duplicate-attribute: Softmax (node 1): it has the attribute 'axis' twice"));
  EXPECT_THAT(faults(with(with_attribute(softmax(), integer("", 1))))[0],
              "empty-name: Softmax (node 1): one of its attributes has no name");
  EXPECT_THAT(faults(with(node("Cast", {"sum"}, {"y"}))),
              ElementsAre("missing-attribute: Cast (node 1): it needs the attribute 'to'"));
  EXPECT_THAT(faults(with(with_attribute(node("Constant", {}, {"y"}), attribute("value", 4)))),
              ElementsAre("attribute-value: Constant (node 1): its attribute 'value' has no value"));
}

TEST(CheckNode, FieldsOfAttributes) {
  proto::Attribute both = integer("axis", 1);
  both.f = 1.0F;
  EXPECT_THAT(faults(with(with_attribute(node("Softmax", {"sum"}, {"y"}), std::move(both)))),
              ElementsAre("attribute-value: Softmax (node 1): its attribute 'axis' has 2 values"));
  proto::Attribute untyped = integer("axis", 1);
  untyped.type.reset();
  EXPECT_THAT(faults(with(with_attribute(node("Softmax", {"sum"}, {"y"}), std::move(untyped))))[0],
              "no-attribute-type: Softmax (node 1): its attribute 'axis' does not state its type");
  proto::Attribute wrong = attribute("axis", 2);
  wrong.ints = {1};
  EXPECT_THAT(
      faults(with(with_attribute(node("Softmax", {"sum"}, {"y"}), std::move(wrong)))),
      ElementsAre(
          "attribute-value: Softmax (node 1): its attribute 'axis' holds INTS, and is of another type"));
  proto::Attribute reference = attribute("axis", 2);
  reference.ref_attr_name = "a";
  EXPECT_THAT(
      faults(with(with_attribute(node("Softmax", {"sum"}, {"y"}), std::move(reference)))),
      ElementsAre(
          "reference-outside-function: Softmax (node 1): its attribute 'axis' refers to an attribute 'a' "
          "of a function, and stands in none"));
}

TEST(CheckNode, ElementTypes) {
  proto::Model model = valid();
  model.graph->inputs[0] = testing::value("x", proto::kInt64);
  EXPECT_THAT(
      faults(model),
      ElementsAre("types-differ: Add 'add': its inputs 'A' and 'B' must have one type, and are i64 and f32",
                  "declared-type: Relu (node 1): its output 'y' is declared f32, and is i64"));
  model = with(node("Sum", {"sum", "i"}, {"y"}));
  model.graph->inputs.push_back(testing::value("i", proto::kDouble));
  EXPECT_THAT(faults(model),
              ElementsAre("types-differ: Sum (node 1): its inputs 'data_0[0]' and 'data_0[1]' must have "
                          "one type, and are f32 and f64"));
  EXPECT_THAT(faults(with(node("Not", {"sum"}, {"y"})))[0],
              "input-type: Not (node 1): its input 'X' is f32, and must be bool");
  EXPECT_THAT(faults(with(with_attribute(node("Cast", {"sum"}, {"y"}), integer("to", proto::kInt32)))),
              ElementsAre("declared-type: Cast (node 1): its output 'y' is declared f32, and is i32"));
  EXPECT_THAT(faults(with(node("Shape", {"sum"}, {"y"}))),
              ElementsAre("declared-type: Shape (node 1): its output 'y' is declared f32, and is i64"));
  EXPECT_THAT(
      faults(with(node("SequenceAt", {"sum", "x"}, {"y"})))[0],
      "input-type: SequenceAt (node 1): its input 'input_sequence' is f32, and must be seq(f32), seq(u8), "
      "seq(i8), seq(u16), seq(i16), seq(i32), seq(i64), seq(string), seq(bool), seq(f16), seq(f64), "
      "seq(u32), "
      "seq(u64), seq(c64) or seq(c128)");
}

TEST(CheckNode, EarlyConstantsAreFloats) {
  proto::Model model = valid();
  model.opset_imports[0].version = 8;
  proto::Attribute value = attribute("value", 4);
  value.t = std::make_unique<proto::Tensor>(testing::tensor("", {1}, 8, proto::kInt64));
  model.graph->nodes.push_back(with_attribute(node("Constant", {}, {"c"}), std::move(value)));
  EXPECT_THAT(faults(model),
              ElementsAre("output-element-type: Constant (node 2): its output 'output' would be i64, "
                          "and must be f32, f16 or f64"));
}

}  // namespace
}  // namespace cameo::onnx
