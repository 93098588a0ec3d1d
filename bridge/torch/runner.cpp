#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/version.h>

#include "archive/kind.h"
#include "exported_program.h"
#include "failures.h"
#include "operations.h"
#include "values.h"
#include "verify/bridge.h"

namespace cameo::torch {
namespace {

namespace jit = ::torch::jit;

class Loaded : public verify::Program {
 public:
  Loaded(const std::string& path, TrainingMode mode)
      : path_(path),
        module_(explained(path, Code::torch_cannot_load, [&] { return jit::load(path, c10::kCPU); })) {
    if (mode != TrainingMode::preserve) module_.train(mode == TrainingMode::training);
  }

  std::vector<std::string> parameters(const std::string& method) const override {
    std::vector<std::string> names;
    for (const c10::Argument& argument : find(method).function().getSchema().arguments())
      names.push_back(argument.name());
    names.erase(names.begin());
    return names;
  }

  std::vector<Array> run(const std::string& method, const std::vector<InputSpec>& arguments,
                         std::span<const Array> tensors,
                         std::vector<verify::Operation>* operations) const override {
    std::unordered_map<std::string, c10::IValue> named;
    for (const InputSpec& argument : arguments) named.emplace(argument.name, to_torch(argument, tensors));
    const at::NoGradGuard no_gradients;
    const jit::GraphOptimizerEnabledGuard as_written(false);
    std::optional<Recorder> recorder;
    if (operations) recorder.emplace(*operations);
    const c10::IValue result = explained(path_, Code::torch_refuses, [&] { return find(method)({}, named); });
    recorder.reset();
    std::vector<Array> out;
    flatten(result, out);
    return out;
  }

 private:
  jit::Method find(const std::string& method) const {
    return explained(path_, Code::no_such_method, [&] { return module_.get_method(method); });
  }

  std::string path_;
  jit::Module module_;
};

std::unique_ptr<verify::Program> load(const std::string& path, TrainingMode mode) {
  const auto file = MappedFile::open(path);
  if (archive::kind_of(file) == archive::Kind::exported_program) return load_exported(file);
  return std::make_unique<Loaded>(path, mode);
}

constexpr verify::Bridge kBridge = {verify::kBridgeVersion, TORCH_VERSION, load};

}  // namespace
}  // namespace cameo::torch

extern "C" const cameo::verify::Bridge* cameo_torch_bridge() { return &cameo::torch::kBridge; }
