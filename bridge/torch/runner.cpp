#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/version.h>

#include "cameo/diagnostic.h"
#include "operations.h"
#include "values.h"
#include "verify/bridge.h"

namespace cameo::torch {
namespace {

namespace jit = ::torch::jit;

// libtorch's own words, a line each.
[[noreturn]] void refuse(const std::string& file, Code code, std::string_view words) {
  Diagnostic diagnostic{.code = code, .file = file};
  while (!words.empty()) {
    const std::string line(words.substr(0, words.find('\n')));
    words.remove_prefix(std::min(words.size(), line.size() + 1));
    if (line.find_first_not_of(" :") == line.npos) continue;
    if (diagnostic.message.empty())
      diagnostic.message = line;
    else
      diagnostic.notes.push_back(line);
  }
  if (diagnostic.message.starts_with("Unknown builtin op"))
    diagnostic.hint = "name the library that has it, such as torchvision's _C.so, with --load";
  throw Error(std::move(diagnostic));
}

template <class F>
auto explained(const std::string& file, Code code, F run) {
  try {
    return run();
  } catch (const c10::Error& error) {  // without the lines of C++
    refuse(file, code, error.what_without_backtrace());
  } catch (const std::exception& error) {
    refuse(file, code, error.what());
  }
}

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
  return std::make_unique<Loaded>(path, mode);
}

constexpr verify::Bridge kBridge = {verify::kBridgeVersion, TORCH_VERSION, load};

}  // namespace
}  // namespace cameo::torch

extern "C" const cameo::verify::Bridge* cameo_torch_bridge() { return &cameo::torch::kBridge; }
