#include <gmock/gmock.h>

#include "onnx/check/testing.h"

namespace cameo::onnx {
namespace {

using ::testing::ElementsAre;
using testing::faults;
using ::testing::IsEmpty;
using testing::node;
using testing::value;

TEST(CheckControl, If) {
  proto::Model model = testing::branching();
  proto::Graph& branch = *model.graph->nodes[1].attributes[0].g;
  branch.inputs.push_back(value("i"));
  branch.outputs.push_back(value("t"));
  EXPECT_THAT(faults(model),
              ElementsAre("subgraph-inputs: If 'choose': its then_branch must have 0 inputs, and has 1",
                          "subgraph-outputs: If 'choose': its then_branch must have 1 output, and has 2"));
}

proto::Graph body(std::vector<proto::Node> nodes, std::vector<proto::ValueInfo> inputs,
                  std::vector<proto::ValueInfo> outputs) {
  proto::Graph graph;
  graph.name = "body";
  graph.nodes = std::move(nodes);
  graph.inputs = std::move(inputs);
  graph.outputs = std::move(outputs);
  return graph;
}

template <class... T>
std::vector<proto::ValueInfo> values(T... names) {
  std::vector<proto::ValueInfo> all;
  (all.push_back(value(names)), ...);
  return all;
}

proto::Model with(const char* op, std::vector<proto::Text> inputs, std::vector<proto::Text> outputs,
                  std::vector<proto::ValueInfo> body_inputs, std::vector<proto::ValueInfo> body_outputs) {
  proto::Model model = testing::valid();
  proto::Node made = node(op, std::move(inputs), std::move(outputs), "repeat");
  std::vector<proto::Node> nodes;
  nodes.push_back(node("Neg", {"state"}, {"next"}));
  made.attributes.push_back(
      testing::subgraph("body", body(std::move(nodes), std::move(body_inputs), std::move(body_outputs))));
  model.graph->nodes[1] = std::move(made);
  return model;
}

TEST(CheckControl, Loop) {
  EXPECT_THAT(faults(with("Loop", {"", "", "sum"}, {"y"}, values("i", "go", "state"), values("go", "next"))),
              IsEmpty());
  EXPECT_THAT(
      faults(with("Loop", {"", "", "sum"}, {"y"}, values("i", "state"), values("state", "next", "next"))),
      ElementsAre("subgraph-inputs: Loop 'repeat': its body must have 3 inputs, and has 2",
                  "subgraph-outputs: Loop 'repeat': its body must have 2 outputs, and has 3"));
  EXPECT_THAT(faults(with("Loop", {"", "", "sum", "x"}, {"y"}, values("i", "go", "state", "b"),
                          values("go", "next"))),
              ElementsAre("loop-outputs: Loop 'repeat': it carries 2 values, but has 1 outputs"));
}

TEST(CheckControl, Scan) {
  const auto scan = [](std::int64_t scanned, std::vector<proto::ValueInfo> inputs) {
    proto::Model model = with("Scan", {"sum", "x"}, {"y"}, std::move(inputs), values("next"));
    model.graph->nodes[1].attributes.push_back(testing::integer("num_scan_inputs", scanned));
    return faults(model);
  };
  EXPECT_THAT(scan(1, values("state", "b")), IsEmpty());
  EXPECT_THAT(scan(3, values("state", "b")),
              ElementsAre("scan-inputs: Scan 'repeat': num_scan_inputs is 3, and it has 2 inputs"));
  EXPECT_THAT(scan(1, values("state")),
              ElementsAre("subgraph-inputs: Scan 'repeat': its body must have 2 inputs, and has 1"));
}

}  // namespace
}  // namespace cameo::onnx
