#include "export/report/summary.h"

#include "onnx/graph/value_info.h"

#include <algorithm>
#include <map>
#include <set>

namespace cameo {
namespace {

struct Counts {
  std::map<std::string, std::int64_t> operators;
  std::set<const onnx::Value*> constants;

  void add(const onnx::Graph& graph) {
    for (const onnx::Node* node : graph.nodes) {
      ++operators[node->op];
      for (const onnx::Value* input : node->inputs)
        if (input && input->constant()) constants.insert(input);
      for (const onnx::Attribute& attribute : node->attributes)
        for (const onnx::Graph* sub : onnx::subgraphs(attribute.value)) add(*sub);
    }
  }
};

}  // namespace

void summarize(const onnx::Model& model, ExportReport& report) {
  report.opset = model.opset;
  for (const onnx::Value* input : model.main().inputs)
    report.inputs.push_back(value_info(input->name, input->type));
  for (const onnx::Value* output : model.main().outputs)
    report.outputs.push_back(value_info(output->name, output->type));
  Counts counts;
  counts.add(model.main());
  report.operators.assign(counts.operators.begin(), counts.operators.end());
  std::ranges::stable_sort(report.operators,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, count] : counts.operators) report.nodes += count;
  for (const onnx::Value* constant : counts.constants) report.parameters += constant->data->numel();
}

}  // namespace cameo
