#include "export/settle.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "cameo/converter.h"
#include "export/inputs/declared.h"
#include "onnx/graph/visit.h"

namespace cameo {
namespace {

constexpr int kFirstWithTraining = 12;  // the opset that gave Dropout its training mode

void warn(std::vector<Diagnostic>& warnings, Code code, std::string message) {
  Diagnostic d{.code = code};
  d.severity = Severity::warning;
  d.message = std::move(message);
  warnings.push_back(std::move(d));
}

bool saved_in_training(const script::Program& program) {
  const auto* root = program.root()->get_if<archive::Object>();
  const auto* state = root && root->state ? root->state->get_if<archive::Dict>() : nullptr;
  const archive::Value* flag = state ? archive::find(*state, "training") : nullptr;
  const bool* training = flag ? flag->get_if<bool>() : nullptr;
  return training && *training;
}

void settle_training(ExportOptions& options, std::vector<Diagnostic>& warnings) {
  if (options.opset < kFirstWithTraining)
    warn(
        warnings, Code::training_opset,
        fmt::format("You are exporting the model in training mode with onnx opset version {}. Opset versions "
                    "lower than opset 12 will not be able to export nodes such as Dropout and BatchNorm "
                    "correctly.",
                    options.opset));
  if (options.fold_constants)
    warn(warnings, Code::training_folds,
         "It is recommended that constant folding be turned off ('do_constant_folding=False') when exporting "
         "the model in training-amenable mode, i.e. with 'training=TrainingMode.TRAIN' or "
         "'training=TrainingMode.PRESERVE' (when model is in training mode). Otherwise, some learnable model "
         "parameters may not translate correctly in the exported ONNX model because constant folding mutates "
         "model parameters. Please consider turning off constant folding or setting the "
         "training=TrainingMode.EVAL.");
  options.fold_constants = false;
}

int version_of(const std::string& domain, const ExportOptions& options) {
  for (const auto& [name, version] : options.custom_opsets)
    if (name == domain) return version;
  if (options.converters)
    for (const auto& [name, version] : options.converters->domain_versions())
      if (name == domain) return version;
  return 1;
}

}  // namespace

Settled settle(ExportOptions options, const script::Program& program, const DynamicAxes& axes,
               std::vector<Diagnostic>& warnings) {
  if (options.method == "forward")
    options.inputs = with_declared_inputs(program, std::move(options.inputs), axes);
  if (options.operators != OperatorExport::onnx) {
    if (!options.keep_initializers_as_inputs) options.keep_initializers_as_inputs = true;
    if (options.fold_constants)
      warn(warnings, Code::folds_onnx_only,
           "'do_constant_folding' can be set to True only when 'operator_export_type' is `ONNX`. Since "
           "'operator_export_type' is not set to 'ONNX', 'do_constant_folding' argument will be ignored.");
    options.fold_constants = false;
  }
  const bool saved = saved_in_training(program);
  if (saved && options.training == TrainingMode::eval)
    warn(warnings, Code::saved_in_training,
         "You are exporting the model to ONNX while in training mode with 'train' parameter not specified. "
         "The "
         "model will default to inference mode export. If you wish to export a training amenable ONNX model, "
         "specify training=TrainingMode.TRAINING or training=TrainingMode.PRESERVE (to preserve the original "
         "model state) in torch.onnx.export().");
  const bool in_training =
      options.training == TrainingMode::training || (options.training == TrainingMode::preserve && saved);
  if (in_training) settle_training(options, warnings);
  return {std::move(options), in_training};
}

void settle_domains(onnx::Model& model, const ExportOptions& options, std::vector<Diagnostic>& warnings) {
  std::set<std::string> used;
  onnx::each_node(model.main(), [&](const onnx::Node& node) {
    if (!node.domain.empty()) used.insert(node.domain);
  });
  model.custom_opsets.clear();
  for (const std::string& domain : used)
    model.custom_opsets.emplace_back(domain, version_of(domain, options));
  for (const auto& [domain, version] : options.custom_opsets)
    if (!used.contains(domain))
      warn(warnings, Code::unused_opset,
           fmt::format("Custom opset domain: '{}' provided is not used in the model. Please verify custom "
                       "opset domain names.",
                       domain));
}

}  // namespace cameo
