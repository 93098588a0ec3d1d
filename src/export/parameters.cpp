#include "export/parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "eval/state/cell.h"
#include "onnx/graph/visit.h"

namespace cameo {
namespace {

class Walk {
 public:
  void module(const eval::Object& object, const std::string& path) {
    if (!object.definition || !visited_.insert(&object).second) return;
    const script::ClassDef& cls = *object.definition.def;
    for (const auto* names : {&cls.parameters, &cls.buffers})
      for (const std::string& name : *names) tensor(object, name, path);
    for (const script::Field& field : cls.fields) {
      const auto found = object.attributes.find(field.name);
      if (found == object.attributes.end()) continue;
      const eval::ObjectPtr* child = found->second.get_if<eval::ObjectPtr>();
      if (child && (*child)->module) module(**child, join(path, field.name));
    }
  }
  std::vector<Parameter> take() { return std::move(found_); }

 private:
  static std::string join(const std::string& path, const std::string& name) {
    return path.empty() ? name : fmt::format("{}.{}", path, name);
  }
  void tensor(const eval::Object& object, const std::string& name, const std::string& path) {
    const auto found = object.attributes.find(name);
    if (found == object.attributes.end()) return;
    const eval::CellPtr* cell = found->second.get_if<eval::CellPtr>();
    if (cell && seen_.insert((*cell)->tensor.value).second)
      found_.push_back({join(path, name), (*cell)->tensor.value});
  }

  std::set<const eval::Object*> visited_;
  std::set<const onnx::Value*> seen_;
  std::vector<Parameter> found_;
};

// The parameters as they are in the graph, in the order of the state dict. One whose layout was changed for
// its reader is another value of the same name.
struct Placed {
  std::vector<onnx::Value*> inputs;  // of the entry point
  std::vector<onnx::Value*> parameters;
};

Placed find_parameters(const onnx::Model& model, const std::vector<Parameter>& parameters) {
  const std::vector<onnx::Value*> values = onnx::used_values(model.main());
  const std::set<const onnx::Value*> used(values.begin(), values.end());
  std::multimap<std::string, onnx::Value*> constants;
  for (onnx::Value* value : values)
    if (value->constant() && !value->name.empty()) constants.emplace(value->name, value);
  Placed placed;
  std::set<const onnx::Value*> own;
  for (const Parameter& parameter : parameters) {
    own.insert(parameter.value);
    if (!parameter.value->constant() && used.contains(parameter.value))
      placed.parameters.push_back(parameter.value);
    const auto [first, last] = constants.equal_range(parameter.path);
    for (auto each = first; each != last; ++each) placed.parameters.push_back(each->second);
  }
  for (onnx::Value* input : model.main().inputs)
    if (!own.contains(input)) placed.inputs.push_back(input);
  return placed;
}

void order_inputs(onnx::Graph& main, const Placed& placed, bool parameters_first) {
  main.inputs = placed.inputs;
  std::vector<onnx::Value*> parameters;
  std::ranges::copy_if(placed.parameters, std::back_inserter(parameters),
                       [](const onnx::Value* value) { return !value->constant(); });
  main.inputs.insert(parameters_first ? main.inputs.begin() : main.inputs.end(), parameters.begin(),
                     parameters.end());
}

void name_parameters(const Placed& placed, const ExportOptions& options) {
  const std::size_t inputs = placed.inputs.size(), parameters = placed.parameters.size();
  if (options.input_names.size() > inputs + parameters)
    throw Error(
        Diagnostic{.code = Code::too_many_names,
                   .message = fmt::format("{} input names are given for {} input{} and {} parameter{}",
                                          options.input_names.size(), inputs, inputs == 1 ? "" : "s",
                                          parameters, parameters == 1 ? "" : "s"),
                   .hint = "names beyond the inputs go to the parameters, in the order of the state dict"});
  for (std::size_t i = 0; i < parameters; ++i) {
    if (inputs + i < options.input_names.size())
      placed.parameters[i]->name = options.input_names[inputs + i];
    else if (options.parameter_names == ParameterNames::numbers)
      placed.parameters[i]->name = std::to_string(i + 1);
  }
}

// Inputs and outputs keep their names: a parameter of the same name gets another one.
std::vector<Diagnostic> rename_colliding(const onnx::Graph& main, const Placed& placed) {
  std::set<std::string> taken;
  for (const onnx::Value* input : placed.inputs) taken.insert(input->name);
  for (const onnx::Value* output : main.outputs) taken.insert(output->name);
  std::set<std::string> known = taken;
  for (const onnx::Value* parameter : placed.parameters) known.insert(parameter->name);
  std::vector<Diagnostic> notes;
  for (onnx::Value* parameter : placed.parameters) {
    if (!taken.contains(parameter->name)) continue;
    const std::string before = parameter->name;
    for (int i = 1; !known.insert(parameter->name).second; ++i)
      parameter->name = fmt::format("{}_{}", before, i);
    notes.push_back(Diagnostic{
        .severity = Severity::note,
        .code = Code::renamed_parameter,
        .message = fmt::format(
            "the parameter '{}' is called '{}' in the model, since an input or output has its name", before,
            parameter->name)});
  }
  return notes;
}

}  // namespace

std::vector<Parameter> parameters_of(const eval::Object& root) {
  Walk walk;
  walk.module(root, {});
  return walk.take();
}

std::vector<Diagnostic> place_parameters(onnx::Model& model, const std::vector<Parameter>& parameters,
                                         const ExportOptions& options) {
  const Placed placed = find_parameters(model, parameters);
  if (!options.parameters) order_inputs(model.main(), placed, options.parameters_first);
  name_parameters(placed, options);
  return rename_colliding(model.main(), placed);
}

}  // namespace cameo
