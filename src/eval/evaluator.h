#pragma once
// The partial evaluator: runs a TorchScript program once, on shapes instead of numbers. It computes every
// value that is known at export time. Tensor operators emit ONNX nodes. Control flow that depends on runtime
// values becomes If and Loop.

#include <functional>
#include <memory>
#include <string_view>

#include "eval/loader.h"
#include "eval/options.h"
#include "eval/state/evaluation.h"
#include "rewrite/log.h"

namespace cameo::eval {

// One evaluation of a program. It owns the parts of the evaluation and connects them; see evaluator.cpp.
class Evaluator {
 public:
  // `program` and `emit` must outlive this.
  Evaluator(const script::Program& program, onnx::Emit& emit, const Options& options);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  const script::Program& program() const;
  onnx::Emit& emit();
  Memory& memory();
  GraphValues& values();
  Reporter& reporter();
  Findings& findings() { return reporter().findings(); }
  Loader& loader();
  rewrite::Log& rewrites();  // what the rewriting rules did
  // `watch` is called before each tensor operator is converted.
  void set_watch(std::function<void(std::string_view op, const Arguments& arguments)> watch);

  // Throws Raised if the program raises, Error and aten::Unsupported if the evaluation cannot continue.
  // Operators that are not supported are among the findings.
  Value call_method(const ObjectPtr& object, std::string_view name, const Arguments& arguments);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cameo::eval
