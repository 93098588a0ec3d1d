#include <gmock/gmock.h>

#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using testing::faults;
using ::testing::IsEmpty;
using testing::valid;

TEST(CheckGraph, Inputs) {
  proto::Model model = valid();
  model.graph->inputs.push_back(testing::value("x"));
  EXPECT_THAT(faults(model), ElementsAre("duplicate-input: two inputs of the graph are called 'x'"));
  model = valid();
  model.graph->inputs.push_back(testing::value(""));
  EXPECT_THAT(faults(model), ElementsAre("empty-name: an input of the graph has no name"));
  model = valid();
  model.graph->inputs[0].type.reset();
  EXPECT_THAT(faults(model), ElementsAre("no-type: the input 'x' has no type"));
  model = valid();
  model.graph->inputs[0].type->shape.reset();
  EXPECT_THAT(
      faults(model),
      ElementsAre("no-shape: the input 'x' has no shape | inputs and outputs of a model have a rank, though "
                  "their sizes may be open"));
  model.graph->inputs[0].type->element.reset();
  EXPECT_THAT(faults(model),
              ElementsAre("incomplete-type: the type of the input 'x' lacks its element type"));
}

TEST(CheckGraph, TypesOfOtherKinds) {
  using Kind = proto::Type::Kind;
  for (const Kind kind : {Kind::sequence, Kind::optional, Kind::map}) {
    proto::Model model = valid();
    model.graph->inputs.push_back(testing::value("s"));
    proto::Type& type = *model.graph->inputs.back().type;
    type.kind = kind;
    EXPECT_THAT(faults(model),
                ElementsAre("incomplete-type: the type of the input 's' lacks its element type"));
    type.inner = std::make_unique<proto::Type>(std::move(*testing::value("").type));
    EXPECT_THAT(faults(model), IsEmpty());
  }
}

TEST(CheckGraph, Initializers) {
  proto::Model model = valid();
  model.graph->initializers.push_back(testing::tensor("w", {2}, 8));
  EXPECT_THAT(faults(model), ElementsAre("duplicate-initializer: two initialisers are called 'w'"));
  model = valid();
  model.graph->initializers.push_back(testing::tensor("", {2}, 8));
  EXPECT_THAT(faults(model), ElementsAre("empty-name: an initialiser has no name"));
  model = valid();
  model.graph->inputs.push_back(testing::value("w", proto::kInt64));
  EXPECT_THAT(faults(model),
              ElementsAre("initializer-type: the initialiser 'w' is f32, and the input of that name is i64"));
}

TEST(CheckGraph, InitializersAreInputsBeforeIr4) {
  proto::Model model = valid();
  model.ir_version = 3;
  model.opset_imports[0].version = 8;
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "initializer-without-input: the initialiser 'w' is not an input of the graph | version 3 of the "
          "IR wants every initialiser among the inputs; version 4 does not"));
  model.graph->inputs.push_back(testing::value("w"));
  EXPECT_THAT(faults(model), IsEmpty());
}

TEST(CheckGraph, Order) {
  proto::Model model = valid();
  std::swap(model.graph->nodes[0], model.graph->nodes[1]);
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "not-sorted: Relu (node 0): it uses 'sum' before it is made | nodes must be in topological order"));
}

TEST(CheckGraph, ValuesAreMadeOnce) {
  proto::Model model = valid();
  model.graph->nodes[1].outputs[0] = "sum";
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "duplicate-value: Relu (node 1): its output 'sum' has a name that is taken | every value has "
          "one name and is made once, outer graphs included",
          "output-not-made: nothing makes 'y', an output of the graph"));
  model = testing::branching();
  model.graph->nodes[1].attributes[0].g->nodes[0].outputs[0] = "x";
  EXPECT_THAT(
      faults(model),
      ElementsAre(
          "duplicate-value: Neg 'negate': its output 'x' has a name that is taken | in then_branch of "
          "If 'choose' | every value has one name and is made once, outer graphs included",
          "output-not-made: nothing makes 't', an output of the graph | in then_branch of If "
          "'choose'"));
}

TEST(CheckGraph, Outputs) {
  proto::Model model = valid();
  model.graph->outputs.push_back(testing::value("x", proto::kInt64));
  EXPECT_THAT(faults(model), ElementsAre("output-type: the output 'x' is declared i64, and is f32"));
  model = valid();
  model.graph->outputs[0] = testing::value("y", proto::kInt64);
  EXPECT_THAT(faults(model),
              ElementsAre("declared-type: Relu (node 1): its output 'y' is declared i64, and is f32"));
}

}  // namespace
}  // namespace cameo::onnx
