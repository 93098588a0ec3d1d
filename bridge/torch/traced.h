#pragma once
#include <vector>

#include "cameo/torch.h"

namespace cameo::torch {

struct Traced {
  ::torch::jit::Module module;
  std::vector<Diagnostic> warnings;
};
Traced trace_module(const Traceable& module, const Inputs& inputs, TrainingMode mode);

}  // namespace cameo::torch
