#pragma once
#include <optional>

#include "eval/state/memory.h"
#include "eval/state/reporter.h"

namespace cameo::eval {

// Converts values of the program to values of the graph, and back. Functions that convert throw
// aten::Unsupported for a value that has no form in the graph.
class GraphValues {
 public:
  GraphValues(onnx::Emit& emit, Memory& memory, const Reporter& reporter)
      : emit_(emit), memory_(memory), reporter_(reporter) {}

  aten::Tensor tensor(const Value& value);     // of a tensor, a number or a truth value
  onnx::Value* condition(const Value& value);  // a truth value as a 0-d boolean
  // A list of tensors as a sequence of the graph. Requires at least one item.
  onnx::Value* sequence(const std::vector<Value>& items);
  // The truth of a value, if it is known at export time.
  std::optional<bool> decide(const Value& value);
  // The int, float or bool in a tensor of one element. Throws Raised if the tensor has more elements.
  Value number_from(const aten::Tensor& tensor);

  aten::Arg to_arg(const Value& value);       // the form that converters read
  Value from_arg(const aten::Arg& argument);  // a result of a converter; tensors are new ones

 private:
  onnx::Emit& emit_;
  Memory& memory_;
  const Reporter& reporter_;
};

}  // namespace cameo::eval
