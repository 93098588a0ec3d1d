#include <gmock/gmock.h>

#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using testing::faults;
using testing::import;
using ::testing::IsEmpty;
using testing::valid;

TEST(CheckModel, Valid) {
  EXPECT_THAT(faults(valid()), IsEmpty());
  EXPECT_THAT(faults(testing::branching()), IsEmpty());
}

TEST(CheckModel, IrVersion) {
  proto::Model model = valid();
  model.ir_version.reset();
  EXPECT_THAT(faults(model), ElementsAre("no-ir-version: the model does not state its IR version"));
  model.ir_version = 99;
  EXPECT_THAT(faults(model),
              ElementsAre("unknown-ir-version: the model is written in version 99 of the IR, and 13 is "
                          "the newest that is known"));
  model.ir_version = 7;
  EXPECT_THAT(faults(model),
              ElementsAre("warning old-ir-version: opset 17 came with version 8 of the IR, and the "
                          "model is written in version 7"));
}

TEST(CheckModel, Imports) {
  proto::Model model = valid();
  model.opset_imports.clear();
  EXPECT_THAT(faults(model),
              ElementsAre("no-opset-import: the model imports no opset | without one it is not known "
                          "which operators it means"));
  model = valid();
  model.opset_imports.push_back(import("ai.onnx", 16));
  EXPECT_THAT(faults(model),
              ElementsAre("duplicate-opset-import: the domain 'ai.onnx' is imported in versions 17 and 16"));
  model = valid();
  model.opset_imports.push_back(import("com.example", 0));
  EXPECT_THAT(faults(model),
              ElementsAre("bad-opset-version: the import of the domain 'com.example' has no version"));
  model = valid();
  model.ir_version = 2;
  model.graph->initializers.clear();
  model.graph->inputs.push_back(testing::value("w"));
  EXPECT_THAT(faults(model),
              ElementsAre("import-before-ir-3: the model imports opsets, which version 2 of the IR "
                          "does not know"));
}

TEST(CheckModel, Metadata) {
  proto::Model model = valid();
  model.metadata.resize(2);
  model.metadata[0].key = model.metadata[1].key = "author";
  EXPECT_THAT(faults(model), ElementsAre("duplicate-metadata: the metadata has the key 'author' twice"));
}

TEST(CheckModel, NoGraph) {
  proto::Model model = valid();
  model.graph.reset();
  EXPECT_THAT(faults(model), ElementsAre("no-graph: the file has no graph | is it an ONNX model?"));
}

TEST(CheckModel, AllFaultsAtOnce) {
  proto::Model model = valid();
  model.graph->name = {};
  model.graph->nodes[0].op_type = "Ad";
  model.graph->nodes[1].inputs[0] = "s";
  EXPECT_THAT(faults(model),
              ElementsAre("no-graph-name: the graph has no name",
                          "unknown-operator: Ad 'add': ai.onnx has no such operator | did you mean 'Add'?",
                          "unknown-value: Relu (node 1): it uses 's', which nothing makes"));
}

TEST(CheckModel, ManyFaultsAreCounted) {
  proto::Model model = valid();
  for (int i = 0; i < 1200; ++i) model.graph->nodes.push_back(testing::node("Relu", {"nothing"}, {}));
  const auto all = faults(model);
  EXPECT_EQ(all.size(), 1000U);
  EXPECT_THAT(all.back(), ::testing::EndsWith("| 1400 more are not shown"));
}

TEST(CheckModel, Training) {
  proto::Model model = valid();
  model.training.emplace_back().algorithm.emplace();
  proto::Graph& step = *model.training[0].algorithm;
  step.name = "step";
  step.nodes.push_back(testing::node("Neg", {"sum"}, {"loss"}));
  step.outputs.push_back(testing::value("loss"));
  EXPECT_THAT(faults(model), IsEmpty());
  step.nodes[0].inputs[0] = "gone";
  EXPECT_THAT(faults(model),
              ElementsAre("unknown-value: Neg (node 0): it uses 'gone', which nothing makes | in the "
                          "training algorithm"));
}

}  // namespace
}  // namespace cameo::onnx
