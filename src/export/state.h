#pragma once
// The tensors that a program keeps from one call to the next: buffers, and attributes that hold tensors.

#include <string>
#include <vector>

#include "cameo/diagnostic.h"
#include "eval/evaluator.h"

namespace cameo {

struct State {
  std::string path;  // "lstm.h"
  eval::CellPtr cell;
};

// The state that the evaluated program wrote to.
std::vector<State> changed_state(const eval::Object& root);

// State that is an input and an output.
struct StateIo {
  std::string path;
  const onnx::Value* input = nullptr;
  archive::TensorPtr saved;
  std::size_t output = 0;  // its index
};

// The state that the loader made inputs, in their order. Call it before the program runs.
std::vector<StateIo> state_inputs(const eval::Object& root, eval::Evaluator& evaluator);

// Makes the present value of each an output, and remembers its index.
void add_state_outputs(eval::Evaluator& evaluator, const eval::Object& root, std::vector<StateIo>& state);

// Adds the metadata of a finished model: the names and the saved value, in JSON. A value whose elements are
// equal is one number.
void describe_state(onnx::Model& model, const std::vector<StateIo>& state);

// Warns that the exported model does not keep the changes.
Diagnostic state_warning(const std::vector<std::string>& paths);

}  // namespace cameo
