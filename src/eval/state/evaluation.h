#pragma once
#include "eval/state/caller.h"
#include "eval/state/graph_values.h"
#include "eval/state/memory.h"
#include "eval/state/reporter.h"
#include "gradient/tape.h"

namespace cameo::eval {

// The services that operators, control flow and the interpreter share. Each has a contract of its own; this
// only names them together.
struct Evaluation {
  onnx::Emit& emit;  // the graph
  Memory& memory;
  GraphValues& values;
  Reporter& reporter;
  Caller& caller;
  gradient::Tape& tape;
};

}  // namespace cameo::eval
