#pragma once
// C++ networks to ONNX, by libtorch.
//
//   Net net;
//   cameo::ExportOptions options;
//   options.dynamic_axes = R"({"input": {0: "batch"}})";
//   cameo::torch::export_onnx(net, {torch::randn({1, 3, 32, 32})}, "net.onnx", options);
//
// A module is a torch::nn::Module, a holder of one (TORCH_MODULE), a shared pointer to one, a Sequential, an
// AnyModule or a torch::jit::Module. All but the last are traced: `forward` runs once on the inputs, without
// gradients, in the mode that options.training asks for, and what it did is recorded. Parameters keep their
// names ("conv.weight"). A module whose `forward` is overloaded or a template is given together with a
// function that calls it:
//
//   cameo::torch::export_onnx(net, [&](at::Tensor x) { return net->forward(x, 2); }, {x}, "net.onnx");
//
// The inputs of the exported model are called input, input_1 …, or as options.input_names says. Sizes are
// those of the example, but for options.dynamic_axes.
//
// Exceptions of `forward` are passed on unchanged. Throws cameo::Error if the module cannot be traced or
// exported.

#include <string>
#include <utility>

#include "cameo/export.h"
#include "cameo/torch/forward.h"

namespace cameo {

// For use in `forward`: is this thread tracing it for an export?
bool is_in_onnx_export();

namespace torch {

// Traces `forward` on the inputs and returns the program, like torch.jit.trace in Python.
::torch::jit::Module trace(const Traceable& module, const Inputs& inputs,
                           TrainingMode mode = TrainingMode::eval);

// A traced module needs inputs. A jit module is not run: its inputs may also be described by options.inputs.
ExportReport export_onnx(const Traceable& module, const Inputs& inputs, const std::string& output,
                         const ExportOptions& options = {});
ExportReport export_onnx(const ::torch::jit::Module& module, const Inputs& inputs, const std::string& output,
                         const ExportOptions& options = {});

// The same into memory.
std::pair<std::string, ExportReport> export_to_memory(const Traceable& module, const Inputs& inputs,
                                                      const ExportOptions& options = {});
std::pair<std::string, ExportReport> export_to_memory(const ::torch::jit::Module& module,
                                                      const Inputs& inputs,
                                                      const ExportOptions& options = {});

template <class M, class F>
ExportReport export_onnx(const M& module, F forward, const Inputs& inputs, const std::string& output,
                         const ExportOptions& options = {}) {
  return export_onnx(Traceable(module, std::move(forward)), inputs, output, options);
}

}  // namespace torch
}  // namespace cameo
