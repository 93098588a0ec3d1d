#include <gmock/gmock.h>

#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using testing::faults;
using testing::import;
using ::testing::IsEmpty;
using testing::node;

proto::Node call(std::string_view name, std::vector<proto::Text> inputs, std::vector<proto::Text> outputs) {
  proto::Node made = node(name, std::move(inputs), std::move(outputs));
  made.domain = "own";
  return made;
}

// y = own::Twice(sum), a function of one Add.
proto::Model calling() {
  proto::Model model = testing::valid();
  model.opset_imports.push_back(import("own", 1));
  model.graph->nodes[1] = call("Twice", {"sum"}, {"y"});
  proto::Function twice;
  twice.name = "Twice";
  twice.domain = "own";
  twice.inputs = {"a"};
  twice.outputs = {"b"};
  twice.attributes = {"k"};
  twice.opset_imports.push_back(import("", 17));
  twice.nodes.push_back(node("Add", {"a", "a"}, {"b"}));
  model.functions.push_back(std::move(twice));
  return model;
}

TEST(CheckFunction, Calls) {
  EXPECT_THAT(faults(calling()), IsEmpty());
  proto::Model model = calling();
  model.graph->nodes[1].inputs.push_back("x");
  model.graph->nodes[1].outputs.push_back("z");
  model.graph->nodes[1].attributes.push_back(testing::integer("j", 1));
  EXPECT_THAT(
      faults(model),
      ElementsAre("input-count: Twice (node 1): the function takes at most 1 inputs, but the node has 2",
                  "output-count: Twice (node 1): the function has at most 1 outputs, but the node has 2",
                  "unknown-attribute: Twice (node 1): the function has no attribute 'j'"));
}

TEST(CheckFunction, Bodies) {
  proto::Model model = calling();
  model.functions[0].nodes[0].inputs[1] = "x";
  EXPECT_THAT(faults(model),
              ElementsAre("unknown-value: Add (node 0): it uses 'x', which nothing makes | in the "
                          "function own::Twice"));
  model = calling();
  model.functions[0].outputs = {"b", "b", "c"};
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "duplicate-name: two outputs of the function are called 'b' | in the function own::Twice",
          "output-not-made: nothing makes 'c', an output of the function | in the function own::Twice"));
  model = calling();
  model.functions[0].opset_imports.clear();
  EXPECT_THAT(faults(model),
              ElementsAre("domain-not-imported: Add (node 0): the domain 'ai.onnx' is not imported | in "
                          "the function own::Twice"));
  model = calling();
  model.functions[0].opset_imports[0].version = 13;
  EXPECT_THAT(
      faults(model),
      ElementsAre("function-opset: Add (node 0): it is not the same operator in opset 13, which the function "
                  "imports, as in opset 17, which the model imports | in the function own::Twice"));
}

TEST(CheckFunction, References) {
  proto::Model model = calling();
  proto::Node softmax = node("Softmax", {"a"}, {"b"});
  softmax.attributes.push_back(testing::attribute("axis", 2));
  softmax.attributes[0].ref_attr_name = "k";
  model.functions[0].nodes[0] = std::move(softmax);
  EXPECT_THAT(faults(model), IsEmpty());
  proto::Attribute& axis = model.functions[0].nodes[0].attributes[0];
  axis.ref_attr_name = "q";
  axis.i = 1;
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "attribute-value: Softmax (node 0): its attribute 'axis' has a value, and refers to 'q' as "
          "well | in the function own::Twice",
          "unknown-reference: Softmax (node 0): its attribute 'axis' refers to 'q', which the function "
          "does not have | in the function own::Twice"));
}

TEST(CheckFunction, Names) {
  proto::Model model = calling();
  model.functions[0].domain = {};
  model.functions[0].name = "";
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "warning unchecked-domain: Twice (node 1): the operators of the domain 'own' are not known and "
          "were not checked",
          "empty-name: the function has no name | in the function ai.onnx::",
          "no-domain: the function does not state its domain | in the function ai.onnx::"));
  model = calling();
  model.functions.push_back(std::move(calling().functions[0]));
  EXPECT_THAT(
      faults(model),
      ElementsAre("duplicate-function: another function has the same name | in the function own::Twice"));
  model = calling();
  model.ir_version = 7;
  EXPECT_THAT(faults(model)[1],
              "warning functions-before-ir-8: the model has functions, which version 7 of the IR does "
              "not know");
}

TEST(CheckFunction, Recursion) {
  proto::Model model = calling();
  proto::Function again = std::move(calling().functions[0]);
  again.name = "Again";
  again.opset_imports.push_back(import("own", 1));
  again.nodes[0] = call("Twice", {"a"}, {"b"});
  model.functions.push_back(std::move(again));
  EXPECT_THAT(faults(model), IsEmpty());
  model.functions[0].opset_imports.push_back(import("own", 1));
  model.functions[0].nodes[0] = call("Again", {"a"}, {"b"});
  EXPECT_THAT(faults(model),
              ElementsAre("recursive-function: its calls never end: it leads to a function that calls "
                          "itself | in the function own::Twice",
                          "recursive-function: its calls never end: it leads to a function that calls "
                          "itself | in the function own::Again"));
}

}  // namespace
}  // namespace cameo::onnx
