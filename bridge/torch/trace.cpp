#include <fmt/format.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include "cameo/torch.h"
#include "mirror.h"
#include "mode.h"
#include "scopes.h"
#include "traced.h"

namespace cameo {
namespace {
thread_local bool in_export = false;
}

bool is_in_onnx_export() { return in_export; }

namespace torch {
namespace {

namespace jit = ::torch::jit;

class Exporting {
 public:
  Exporting() {
    if (in_export)
      throw Error(Diagnostic{.code = Code::nested_export,
                             .message = "a module is exported from within the forward that is being exported",
                             .hint = "export one after the other"});
    in_export = true;
  }
  ~Exporting() { in_export = false; }
  Exporting(const Exporting&) = delete;
  Exporting& operator=(const Exporting&) = delete;
};

std::vector<std::string> argument_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(i == 0 ? "input" : fmt::format("input_{}", i));
  return names;
}

Traced run_once(const Traceable& module, const Inputs& inputs) {
  Mirror copy = mirror(module.module);
  Scopes scopes(copy);
  const auto forward = [&](jit::Stack stack) -> jit::Stack {
    return {module.forward(Inputs(stack.begin(), stack.end()))};
  };
  const auto state = jit::tracer::trace(
                         inputs, forward, [](const at::Tensor&) { return ""; }, /*strict=*/false,
                         /*force_outplace=*/false, &copy.root, argument_names(inputs.size()))
                         .first;
  const c10::QualifiedName name(*copy.root.type()->name(), "forward");
  copy.root.type()->addMethod(copy.root._ivalue()->compilation_unit()->create_function(name, state->graph));
  return {copy.root, scopes.take_warnings()};
}

}  // namespace

Traced trace_module(const Traceable& module, const Inputs& inputs, TrainingMode mode) {
  if (inputs.empty())
    throw Error(Diagnostic{.code = Code::inputs_needed,
                           .message = "example inputs are required for tracing",
                           .hint = "give tensors that forward can run on"});
  const Exporting exporting;
  const at::NoGradGuard no_gradients;
  const ModeGuard guard(module.module, mode);
  // A module may register what it needs when it first runs; the trace that shows this is made again.
  const auto before = registered(module.module);
  const auto changed = [&] { return registered(module.module) != before; };
  try {
    Traced traced = run_once(module, inputs);
    if (!changed()) return traced;
  } catch (const std::exception&) {
    if (!changed()) throw;
  }
  const auto settled = registered(module.module);
  Traced traced = run_once(module, inputs);
  if (registered(module.module) == settled) return traced;
  throw Error(Diagnostic{.code = Code::state_changed,
                         .message = "state_dict changed after running the tracer; something weird is "
                                    "happening in your model!",
                         .notes = {"each run of forward registers or replaces parameters or buffers"}});
}

jit::Module trace(const Traceable& module, const Inputs& inputs, TrainingMode mode) {
  return trace_module(module, inputs, mode).module;
}

}  // namespace torch
}  // namespace cameo
