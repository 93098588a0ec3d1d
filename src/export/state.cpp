#include "export/state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "aten/quantization.h"
#include "base/json.h"
#include "base/text.h"
#include "eval/state/cell.h"
#include "onnx/graph/data.h"

namespace cameo {
namespace {

bool changed(const eval::Cell& cell) {
  return cell.buffer.empty() ? !cell.tensor->constant() : cell.version != 0;
}

using Visit = std::function<void(const std::string& path, const eval::CellPtr& cell)>;

void each_tensor(const eval::Object& object, std::set<const eval::Object*>& visited, const Visit& visit) {
  if (!visited.insert(&object).second) return;
  for (const auto& [name, value] : object.attributes) {
    if (const eval::CellPtr* cell = value.get_if<eval::CellPtr>())
      visit(object.path.empty() ? name : fmt::format("{}.{}", object.path, name), *cell);
    else if (const eval::ObjectPtr* sub = value.get_if<eval::ObjectPtr>())
      each_tensor(**sub, visited, visit);
  }
}

void each_tensor(const eval::Object& root, const Visit& visit) {
  std::set<const eval::Object*> visited;
  each_tensor(root, visited, visit);
}

// JSON has no numbers that are not finite.
Json number(const onnx::Data& data, std::int64_t index) {
  if (!is_floating(data.dtype())) return data.integer(index);
  const double value = data.real(index);
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

Json elements(const onnx::Data& data) {
  auto list = Json::array();
  bool equal = data.numel() > 0;
  for (std::int64_t i = 0; i < data.numel(); ++i) {
    list.push_back(number(data, i));
    equal = equal && data.real(i) == data.real(0);
  }
  return equal ? number(data, 0) : list;
}

}  // namespace

std::vector<State> changed_state(const eval::Object& root) {
  std::vector<State> out;
  each_tensor(root, [&](const std::string& path, const eval::CellPtr& cell) {
    if (changed(*cell)) out.push_back({path, cell});
  });
  return out;
}

std::vector<StateIo> state_inputs(const eval::Object& root, eval::Evaluator& ev) {
  std::vector<StateIo> out;
  for (const onnx::Value* input : ev.emit().model().main().inputs) {
    archive::TensorPtr saved = ev.loader().saved(input);
    if (!saved) continue;
    each_tensor(root, [&](const std::string& path, const eval::CellPtr& cell) {
      if (cell->tensor.value == input && cell->buffer == path)
        out.push_back({.path = path, .input = input, .saved = saved});
    });
  }
  return out;
}

void add_state_outputs(eval::Evaluator& ev, const eval::Object& root, std::vector<StateIo>& state) {
  onnx::Emit& e = ev.emit();
  onnx::Graph& main = e.model().main();
  std::map<std::string, eval::CellPtr> cells;
  each_tensor(root, [&](const std::string& path, const eval::CellPtr& cell) { cells.emplace(path, cell); });
  for (StateIo& each : state) {
    each.output = main.outputs.size();
    const aten::Tensor now = ev.memory().cells().read(cells.at(each.path));
    e.graph_output(&main, aten::dequantized(e, now).value, each.path + "_out");
  }
}

void describe_state(onnx::Model& model, const std::vector<StateIo>& state) {
  for (const StateIo& each : state) {
    const onnx::Data data(each.saved);
    const Json facts = {{"input", each.input->name},
                        {"output", model.main().outputs[each.output]->name},
                        {"value", elements(data)}};
    model.metadata.emplace_back("cameo.state." + each.path, facts.text());
  }
}

Diagnostic state_warning(const std::vector<std::string>& paths) {
  return {
      .severity = Severity::warning,
      .code = Code::state_not_kept,
      .message = fmt::format("the program changes {}, and an ONNX model keeps no changes: each run begins "
                             "with the saved {}",
                             join(paths, ", "), paths.size() == 1 ? "value" : "values"),
      .hint = "--state-as-io makes each an input and an output"};
}

}  // namespace cameo
