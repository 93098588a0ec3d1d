#pragma once
// Joins two values into one: the value of a variable after a branch, or in each iteration of a loop.

#include <functional>
#include <map>
#include <string>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// Walks two values together. Where they differ in a leaf (a tensor, a number, a truth value, a sequence), the
// subclass merges the leaf. Values that cannot be joined become a Conflict.
class Joiner {
 public:
  // Values that were made before `since` existed before the branch or loop. `first` and `second` hold the
  // tensors at the end of each side; null for a side that is the current state.
  Joiner(Evaluation& evaluator, Time since, const Outcome* first, const Outcome* second)
      : ev_(evaluator), since_(since), first_(first), second_(second) {}
  virtual ~Joiner() = default;
  Joiner(const Joiner&) = delete;
  Joiner& operator=(const Joiner&) = delete;

  Value join(const Value& a, const Value& b);
  State join(const State& a, const State& b);

 protected:
  // Makes a leaf as a value of the graph. Called in the scope of its side.
  using Leaf = std::function<onnx::Value*()>;
  // Run `work` in the scope of a side.
  virtual void in_first(const std::function<void()>& work) = 0;
  virtual void in_second(const std::function<void()>& work) = 0;
  // Merges two values of one dtype; each is visible in the scope of its side.
  virtual onnx::Value* merge(onnx::Value* a, onnx::Value* b) = 0;
  // Two different integers; by default merged as 0-d i64 values.
  virtual Value merge_integers(const Dim& a, const Dim& b);
  // Two different truth values; by default merged as 0-d booleans.
  virtual Value merge_booleans(const Value& a, const Value& b);

  // A dimension that is equal in both and visible outside stays; any other becomes a new symbol. Different
  // ranks give no shape.
  onnx::Type join_types(const onnx::Type& a, const onnx::Type& b) const;
  // A new symbol for a dimension of a value of this type. In a sequence it differs from element to element.
  Dim fresh_size(const onnx::Type& type) const;

  onnx::Value* first(const Leaf& leaf);
  onnx::Value* second(const Leaf& leaf);
  bool older(Time born) const { return born < since_; }
  // Starts another walk, with another second side.
  void restart(const Outcome* second);
  Evaluation& ev_;

 private:
  Value join_cells(const CellPtr& a, const CellPtr& b);
  // Whether the joined tensor may share memory with a tensor from before the branch or loop.
  bool may_be_older(const CellPtr& a, const CellPtr& b) const;
  Value join_optional(const Value& a, const Value& b);
  Value join_with_nothing(const Value& present, bool present_first);
  ListState join_lists(const ListState& a, const ListState& b);
  Value join_objects(const ObjectPtr& a, const ObjectPtr& b);
  aten::Tensor merge_tensors(const aten::Tensor& a, const aten::Tensor& b);
  aten::QuantizerPtr merge_quantizers(const aten::Quantizer& a, const aten::Quantizer& b);
  onnx::Value* sequence_of(const std::vector<Value>& items, onnx::Value* sequence, DType dtype);
  aten::Tensor read(const Outcome* outcome, const CellPtr& cell);
  ListState list_state(const Outcome* outcome, const ListPtr& list);
  DictState dict_state(const Outcome* outcome, const DictPtr& dict);

  Time since_;
  const Outcome *first_, *second_;
  std::map<std::pair<const void*, const void*>, Value> joined_;
  std::map<const void*, const void*> partner_;
};

// A small value of the given type, for an output that is never read.
onnx::Value* placeholder(onnx::Emit& e, const onnx::Type& type);

}  // namespace cameo::eval
