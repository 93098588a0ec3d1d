#include "export/report/summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/graph/describe.h"
#include "onnx/graph/value_info.h"
#include "onnx/graph/visit.h"
#include "onnx/proto/visit.h"

namespace cameo {
namespace {

using Counts = std::map<std::string, std::int64_t>;

void set_operators(const Counts& operators, ExportReport& report) {
  report.operators.assign(operators.begin(), operators.end());
  std::ranges::stable_sort(report.operators,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
}

}  // namespace

void summarize(const onnx::Model& model, ExportReport& report) {
  report.opset = model.opset;
  for (const onnx::Value* input : model.main().inputs)
    report.inputs.push_back(value_info(input->name, input->type));
  for (const onnx::Value* output : model.main().outputs)
    report.outputs.push_back(value_info(output->name, output->type));
  Counts operators;
  std::set<const onnx::Value*> constants;
  onnx::each_node(model.main(), [&](const onnx::Node& node) {
    ++report.nodes;
    ++operators[node.op];
    for (const onnx::Value* input : node.inputs)
      if (input && input->constant()) constants.insert(input);
  });
  set_operators(operators, report);
  for (const onnx::Value* constant : constants) report.parameters += constant->data->numel();
}

void summarize(const onnx::proto::Model& model, ExportReport& report) {
  report.inputs.clear();
  report.outputs.clear();
  for (const onnx::proto::ValueInfo& input : model.graph->inputs)
    report.inputs.push_back(model::describe(input));
  for (const onnx::proto::ValueInfo& output : model.graph->outputs)
    report.outputs.push_back(model::describe(output));
  report.nodes = 0;
  Counts operators;
  onnx::proto::each_node(model.graph->nodes, [&](const onnx::proto::Node& node) {
    ++report.nodes;
    ++operators[std::string(node.op_type)];
  });
  set_operators(operators, report);
}

}  // namespace cameo
