#pragma once
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "aten/registry.h"

namespace cameo::gradient {

// A call of a PyTorch operator that has a derivative of its own (see operators.cpp).
struct Recorded {
  aten::Bound call;
  std::vector<onnx::Value*> results;  // null for a result that is not a tensor
};

// The calls and tensors that differentiation needs. It is in use only if the program differentiates
// (Emit::differentiable).
class Tape {
 public:
  // Remembers the call if its operator has a derivative of its own.
  void record(const aten::Bound& call, const aten::Returns& results);
  // The call that computed the value; null if none was recorded.
  const Recorded* find(const onnx::Value* value) const;

  // Tensors on which requires_grad_ was called.
  void add_leaf(const onnx::Value* value) { leaves_.insert(value); }
  bool is_leaf(const onnx::Value* value) const { return leaves_.contains(value); }
  const std::unordered_set<const onnx::Value*>& leaves() const { return leaves_; }

  // As torch.set_grad_enabled sets it.
  bool enabled() const { return enabled_; }
  void enable(bool on) { enabled_ = on; }

 private:
  std::deque<Recorded> calls_;
  std::unordered_map<const onnx::Value*, const Recorded*> by_result_;
  std::unordered_set<const onnx::Value*> leaves_;
  bool enabled_ = true;
};

}  // namespace cameo::gradient
