#pragma once
#include <ATen/record_function.h>

#include <vector>

#include "verify/bridge.h"

namespace cameo::torch {

// While it lives, writes down what each operator gives that this thread calls; what operators call in turn is
// not recorded.
class Recorder {
 public:
  explicit Recorder(std::vector<verify::Operation>& operations);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function);
  static void end(const at::RecordFunction& function, at::ObserverContext* context);

  std::vector<verify::Operation>& operations_;
  int depth_ = 0;
  at::CallbackHandle handle_;
};

}  // namespace cameo::torch
