#include "export/warnings.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "onnx/graph/visit.h"

namespace cameo {
namespace {

Diagnostic warning(Code code, std::string message, std::string hint) {
  return {
      .severity = Severity::warning, .code = code, .message = std::move(message), .hint = std::move(hint)};
}

// PyTorch makes such modules from others, in training mode, whatever the mode of the others is.
bool has_no_mode(const eval::Object& module) {
  return module.cls.find(".quantized.") != std::string::npos || module.cls.ends_with(".Identity");
}

void find_training(const eval::Object& module, std::set<const eval::Object*>& visited,
                   std::vector<std::string>& paths) {
  if (has_no_mode(module) || !visited.insert(&module).second) return;
  if (const auto found = module.attributes.find("training"); found != module.attributes.end())
    if (const bool* training = found->second.get_if<bool>(); training && *training)
      paths.push_back(module.path);
  for (const auto& [name, value] : module.attributes)
    if (const eval::ObjectPtr* child = value.get_if<eval::ObjectPtr>(); child && (*child)->module)
      find_training(**child, visited, paths);
}

// " (10 constants)", where the shape says how many.
std::string count(const onnx::Type& type) {
  onnx::Dim elements = type.shape ? 1 : -1;
  for (std::size_t i = 0; type.shape && i < type.shape->size(); ++i) elements = elements * (*type.shape)[i];
  const std::int64_t number = elements.as_constant().value_or(-1);
  return number < 0 ? "" : fmt::format(" ({} constant{})", number, number == 1 ? "" : "s");
}

// Marks every value that the inputs have a part in.
class Dependents {
 public:
  explicit Dependents(const std::vector<onnx::Value*>& inputs) : marked_(inputs.begin(), inputs.end()) {}
  bool contains(const onnx::Value* value) const { return marked_.contains(value); }

  // Whether a node of the graph depends on an input.
  bool mark(const onnx::Graph& graph) {
    bool any = false;
    for (const onnx::Node* node : graph.nodes) {
      bool depends = std::ranges::any_of(node->inputs, [&](const onnx::Value* v) { return contains(v); });
      for (const onnx::Attribute& attribute : node->attributes)
        for (const onnx::Graph* inner : onnx::subgraphs(attribute.value)) {
          if (depends) marked_.insert(inner->inputs.begin(), inner->inputs.end());
          depends |= mark(*inner);
        }
      if (depends) marked_.insert(node->outputs.begin(), node->outputs.end());
      any |= depends;
    }
    return any || std::ranges::any_of(graph.outputs, [&](const onnx::Value* v) { return contains(v); });
  }

 private:
  std::set<const onnx::Value*> marked_;
};

constexpr std::string_view kNoFloat64[] = {"Conv", "ConvTranspose", "GRU",   "GridSample",
                                           "LSTM", "RNN",           "Resize"};

bool lacks_float64(const onnx::Node& node) {
  return node.domain.empty() && !node.inputs.empty() && node.inputs[0] &&
         node.inputs[0]->dtype() == DType::f64 &&
         std::ranges::find(kNoFloat64, node.op) != std::end(kNoFloat64);
}

}  // namespace

void warn_of_training(const eval::Object& root, const ExportOptions& options,
                      std::vector<Diagnostic>& warnings) {
  std::set<const eval::Object*> visited;
  std::vector<std::string> paths;
  find_training(root, visited, paths);
  if (paths.empty() || paths.front().empty() || options.training != TrainingMode::eval) return;
  warnings.push_back(warning(Code::training_mode,
                             fmt::format("the module '{}' was saved in training mode", paths.front()),
                             "it is exported for inference; --training preserve exports it as it was saved"));
}

void warn_of_unconnected(const onnx::Model& model, const std::vector<onnx::Value*>& inputs,
                         std::vector<Diagnostic>& warnings) {
  const onnx::Graph& main = model.main();
  const std::vector<onnx::Value*> used = onnx::used_values(main);
  for (const onnx::Value* input : inputs)
    if (std::ranges::find(used, input) == used.end())
      warnings.push_back(warning(Code::unused_input, fmt::format("input '{}' reaches no output", input->name),
                                 "a trace does not record computations of Python: item(), int(), shapes"));
  Dependents dependents(inputs);
  dependents.mark(main);
  for (const onnx::Value* output : main.outputs)
    if (!dependents.contains(output))
      warnings.push_back(warning(
          Code::constant_output,
          fmt::format("output '{}' does not depend on any input{}", output->name, count(output->type)),
          "a trace makes constants of tensors that Python made from numbers"));
}

void warn_of_float64(const onnx::Model& model, std::vector<Diagnostic>& warnings) {
  std::map<std::string, std::pair<const onnx::Node*, int>> found;
  onnx::each_node(model.main(), [&](const onnx::Node& node) {
    if (!lacks_float64(node)) return;
    auto& [first, number] = found.try_emplace(node.op, &node, 0).first->second;
    ++number;
  });
  for (const auto& [op, each] : found) {
    const auto& [node, number] = each;
    Diagnostic d = warning(Code::no_float64_kernel,
                           fmt::format("ONNX Runtime's CPU provider has no {} for f64{}", op,
                                       number == 1 ? "" : fmt::format(" ({} nodes)", number)),
                           "--float64-as-float32 exports f32 instead");
    if (node->origin) {
      d.module_path = node->origin->module_path;
      onnx::Places places = node->origin->places();
      d.script = std::move(places.script);
      d.python = std::move(places.python);
    }
    warnings.push_back(std::move(d));
  }
}

}  // namespace cameo
