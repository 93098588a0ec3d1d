#include "onnx/check/check.h"

#include <filesystem>
#include <unordered_set>

#include "cameo/model.h"
#include "model/infer/model_types.h"

namespace cameo {
namespace {

using Faults = std::vector<onnx::Fault>;

Faults checked(const model::Opened& opened) {
  const std::string& path = opened.file->name();
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return onnx::check(opened.model, {.file = path, .folder = folder});
}

// Adds the faults that inference finds. Those of a node with an error follow from that error.
void add_inferred(Faults& faults, model::Opened& opened) {
  std::unordered_set<const onnx::proto::Node*> faulty;
  for (const onnx::Fault& fault : faults)
    if (fault.diagnostic.severity == Severity::error && fault.at) faulty.insert(fault.at);
  model::ModelTypes types(opened, true);
  types.run();
  for (onnx::Fault& fault : types.take_faults())
    if (!faulty.contains(fault.at)) faults.push_back(std::move(fault));
}

}  // namespace

std::vector<Diagnostic> Model::check(const CheckOptions& options) const {
  Faults faults;
  if (options.full && state_->model.graph) {
    const std::shared_ptr<model::Opened> opened = copy();
    faults = checked(*opened);
    add_inferred(faults, *opened);
  } else {
    faults = checked(*state_);
  }
  std::vector<Diagnostic> diagnostics;
  for (onnx::Fault& fault : faults) diagnostics.push_back(std::move(fault.diagnostic));
  return diagnostics;
}

}  // namespace cameo
