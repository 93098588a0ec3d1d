#pragma once
#include <torch/nn/module.h>

#include <utility>
#include <vector>

#include "cameo/export.h"

namespace cameo::torch {

// Puts a network and all in it into a mode, and back as each was at the end.
class ModeGuard {
 public:
  ModeGuard(::torch::nn::Module& network, TrainingMode mode) {
    if (mode == TrainingMode::preserve) return;
    for (const auto& module : network.modules(/*include_self=*/false))
      before_.emplace_back(module.get(), module->is_training());
    before_.emplace(before_.begin(), &network, network.is_training());
    network.train(mode == TrainingMode::training);
  }
  ~ModeGuard() {
    for (const auto& [module, training] : before_) module->train(training);  // outermost first
  }
  ModeGuard(const ModeGuard&) = delete;
  ModeGuard& operator=(const ModeGuard&) = delete;

 private:
  std::vector<std::pair<::torch::nn::Module*, bool>> before_;
};

}  // namespace cameo::torch
