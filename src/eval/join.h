#pragma once
// Two values that become one: what a variable holds after a branch, or from turn to turn in a loop. Walks
// both together; where they differ a leaf (a tensor, a number, a truth value, a sequence) is merged by the
// subclass.

#include <functional>
#include <map>
#include <string>

#include "eval/evaluator.h"

namespace cameo::eval {

class Joiner {
 public:
  // What was born before `since` existed before the branch or loop. `first` and `second` tell what tensors
  // held at the end of each side; null for a side that is the state at hand.
  Joiner(Evaluator& evaluator, Time since, const Outcome* first, const Outcome* second)
      : ev_(evaluator), since_(since), first_(first), second_(second) {}
  virtual ~Joiner() = default;
  Joiner(const Joiner&) = delete;
  Joiner& operator=(const Joiner&) = delete;

  Value join(const Value& a, const Value& b);
  State join(const State& a, const State& b);

 protected:
  // A leaf as a value of the graph, made in the scope that it belongs to.
  using Leaf = std::function<onnx::Value*()>;
  virtual void in_first(const std::function<void()>& work) = 0;
  virtual void in_second(const std::function<void()>& work) = 0;
  // Merges two values of one dtype; both are visible in their scopes.
  virtual onnx::Value* merge(onnx::Value* a, onnx::Value* b) = 0;
  // Two different integers; by default merged as 0-d i64 values.
  virtual Value merge_integers(const Dim& a, const Dim& b);
  // Two different truth values; by default merged as 0-d booleans.
  virtual Value merge_booleans(const Value& a, const Value& b);
  // Whether the result may still be one of the cells that existed before.
  virtual bool may_be_older(const CellPtr& a, const CellPtr& b) const;

  // Dim by dim: equal and visible outside, or a fresh symbol; different ranks give no shape.
  onnx::Type join_types(const onnx::Type& a, const onnx::Type& b) const;
  // A size of such a value that is not known; of a sequence, another for each of its elements.
  Dim fresh_size(const onnx::Type& type) const;

  onnx::Value* first(const Leaf& leaf);
  onnx::Value* second(const Leaf& leaf);
  bool older(Time born) const { return born < since_; }
  // Pointers of an earlier walk mean nothing to the next one.
  void restart(const Outcome* second);
  Evaluator& ev_;

 private:
  Value join_cells(const CellPtr& a, const CellPtr& b);
  Value join_optional(const Value& a, const Value& b);
  Value join_with_nothing(const Value& present, bool present_first);
  ListState join_lists(const ListState& a, const ListState& b);
  Value join_objects(const ObjectPtr& a, const ObjectPtr& b);
  aten::Tensor merge_tensors(const aten::Tensor& a, const aten::Tensor& b);
  onnx::Value* sequence_of(const std::vector<Value>& items, onnx::Value* sequence, DType dtype);
  aten::Tensor read(const Outcome* outcome, const CellPtr& cell);
  ListState list_state(const Outcome* outcome, const ListPtr& list);
  DictState dict_state(const Outcome* outcome, const DictPtr& dict);

  Time since_;
  const Outcome *first_, *second_;
  std::map<std::pair<const void*, const void*>, Value> joined_;
  std::map<const void*, const void*> partner_;
};

// A value that stands where nothing is ever read: of the given type, as small as possible.
onnx::Value* placeholder(onnx::Emit& e, const onnx::Type& type);

}  // namespace cameo::eval
