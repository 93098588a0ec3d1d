#include "export/report/summary.h"

#include <algorithm>
#include <map>
#include <set>

#include "onnx/graph/value_info.h"
#include "onnx/graph/visit.h"

namespace cameo {

void summarize(const onnx::Model& model, ExportReport& report) {
  report.opset = model.opset;
  for (const onnx::Value* input : model.main().inputs)
    report.inputs.push_back(value_info(input->name, input->type));
  for (const onnx::Value* output : model.main().outputs)
    report.outputs.push_back(value_info(output->name, output->type));
  std::map<std::string, std::int64_t> operators;
  std::set<const onnx::Value*> constants;
  onnx::each_node(model.main(), [&](const onnx::Node& node) {
    ++report.nodes;
    ++operators[node.op];
    for (const onnx::Value* input : node.inputs)
      if (input && input->constant()) constants.insert(input);
  });
  report.operators.assign(operators.begin(), operators.end());
  std::ranges::stable_sort(report.operators,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const onnx::Value* constant : constants) report.parameters += constant->data->numel();
}

}  // namespace cameo
