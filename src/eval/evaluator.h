#pragma once
// The partial evaluator: runs a TorchScript program once, on shapes instead of numbers. It computes every
// value that is known at export time. Tensor operators emit ONNX nodes. Control flow that depends on runtime
// values becomes If and Loop.

#include <string>
#include <string_view>

#include "eval/assignments.h"
#include "eval/call_expressions.h"
#include "eval/definitions.h"
#include "eval/expressions.h"
#include "eval/functions.h"
#include "eval/loader.h"
#include "eval/operators.h"
#include "eval/options.h"
#include "eval/state/evaluation.h"
#include "eval/statements.h"

namespace cameo::eval {

// Owns the parts of one evaluation and connects them. The parts, in the order of their dependencies:
//   CallStack, Reporter, Memory, GraphValues   the state (eval/state)
//   Operators                                  calls of operators by name
//   Loader, Definitions                        objects of the archive, names of the program
//   Functions, Statements, Assignments, Expressions, CallExpressions   the interpreter
class Evaluator final : private Caller {
 public:
  // `program` and `emit` must outlive this.
  Evaluator(const script::Program& program, onnx::Emit& emit, const Options& options);

  onnx::Emit& emit() { return emit_; }
  Memory& memory() { return memory_; }
  GraphValues& values() { return values_; }
  Reporter& reporter() { return reporter_; }
  Findings& findings() { return reporter_.findings(); }
  Loader& loader() { return loader_; }
  const script::Program& program() const { return program_; }
  void set_watch(Watch watch) { operators_.set_watch(std::move(watch)); }

  // Throws Raised if the program raises, Error and aten::Unsupported if the evaluation cannot continue.
  // Operators that are not supported are among the findings.
  Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments) override;

 private:
  Value call_operator(std::string_view name, const Arguments& arguments) override;
  bool has_method(const Object& object, std::string_view name) const override;

  const script::Program& program_;
  onnx::Emit& emit_;
  CallStack stack_;
  Reporter reporter_;
  Memory memory_;
  GraphValues values_;
  Evaluation evaluation_;
  Operators operators_;
  Loader loader_;
  Definitions definitions_;
  Functions functions_;
  Statements statements_;
  Assignments assignments_;
  Expressions expressions_;
  CallExpressions calls_;
};

}  // namespace cameo::eval
