#include "export/check.h"

#include <gmock/gmock.h>

#include "cameo/format.h"
#include "onnx/lower/lower.h"

namespace cameo {
namespace {

// y = op(x)
void make(onnx::Model& model, const char* op) {
  onnx::Graph& graph = model.main();
  onnx::Value* x = model.add_value({.shape = onnx::Shape{}}, "x");
  onnx::Value* y = model.add_value({.shape = onnx::Shape{}}, "y");
  onnx::Node node;
  node.op = op;
  node.name = "/act/Node";
  node.inputs = {x};
  node.outputs = {y};
  node.graph = &graph;
  node.origin = model.add_origin({.module_path = "act", .op = "aten::relu", .locate = [] {
                                    return onnx::Places{
                                        .script = std::nullopt,
                                        .python = {{.file = "net.py", .line = 7, .function = "forward"}}};
                                  }});
  x->graph = &graph;
  y->producer = model.add_node(std::move(node));
  graph.inputs = {x};
  graph.nodes = {y->producer};
  graph.outputs = {y};
}

std::vector<Diagnostic> check(const onnx::Model& model) {
  onnx::proto::Texts texts;
  return check_exported(onnx::Lowering(texts).model(model), model);
}

TEST(CheckExported, ValidModels) {
  onnx::Model model;
  make(model, "Relu");
  EXPECT_THAT(check(model), ::testing::IsEmpty());
}

TEST(CheckExported, FaultsNameTheirOrigin) {
  onnx::Model model;
  make(model, "Rleu");
  try {
    check(model);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(format(error.diagnostics()),
              "cameo: error: [check] Rleu '/act/Node': ai.onnx has no such operator [unknown-operator]\n"
              "  at net.py:7 in forward\n"
              "  in module act\n"
              "  note: converted from aten::relu\n"
              "  hint: did you mean 'Relu'?\n");
  }
}

TEST(CheckExported, AnUnknownRankIsAWarning) {
  onnx::Model model;
  make(model, "Relu");
  model.main().outputs[0]->type.shape.reset();
  EXPECT_EQ(format(check(model)),
            "cameo: warning: [check] the output 'y' has no shape [no-shape]\n"
            "  hint: its rank is not known; ONNX Runtime takes that, the official checker does not\n");
}

}  // namespace
}  // namespace cameo
