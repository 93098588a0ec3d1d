#pragma once
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/module.h>

#include <string>
#include <unordered_map>

namespace cameo::torch {

// A network as a jit module without methods, for the tracer to find parameters and modules by name in.
struct Mirror {
  ::torch::jit::Module root;
  std::unordered_map<const at::TensorImpl*, std::string> owners;  // the module that registered it: "layer1.0"
  std::unordered_map<const ::torch::nn::Module*, std::string> paths;
};
Mirror mirror(const ::torch::nn::Module& network);

// The registered modules, parameters and buffers of a network. Two snapshots are equal unless `forward`
// added, removed or replaced something.
std::vector<std::pair<std::string, const at::TensorImpl*>> registered(const ::torch::nn::Module& network);

}  // namespace cameo::torch
