#pragma once
#include <string>
#include <string_view>

#include "eval/state/findings.h"
#include "eval/state/frame.h"
#include "onnx/emit/emit.h"
#include "script/program.h"

namespace cameo::eval {

// The program raises: `raise`, an assertion, or an operator that fails in PyTorch too.
struct Raised {
  std::string message;
  Diagnostic where;
};

// Diagnostics with the place of the program that is being evaluated: the lines of all calls on the stack.
class Reporter {
 public:
  Reporter(const script::Program& program, const CallStack& stack) : program_(program), stack_(stack) {}

  Findings& findings() { return findings_; }

  Diagnostic diagnostic(Severity severity, Code code, std::string message) const;
  void report(Diagnostic diagnostic) { findings_.add(std::move(diagnostic)); }
  void report_unsupported(std::string_view op);
  // Reports an operator that is not supported. Without a hint of its own, it says how to export all the same.
  void report_unsupported(Code code, std::string message, std::string hint);
  void assume(std::string assumption) { findings_.assume(std::move(assumption)); }
  void assume(const sym::Condition& condition, std::string_view otherwise);  // "n >= 1 (otherwise: …)"

  // Throws Raised: the program's own exception.
  [[noreturn]] void raise(std::string message) const;
  // Throws Error: the evaluation cannot continue.
  [[noreturn]] void fail(Code code, std::string message, std::string hint = {}) const;

  // The origin of nodes that `op` emits here. The lines are looked up when somebody asks for them.
  onnx::Origin origin(std::string_view op) const;

 private:
  const script::Program& program_;
  const CallStack& stack_;
  Findings findings_;
};

// Nodes that are emitted while this lives have the origin `op` at the current place of the program.
class OriginScope {
 public:
  OriginScope(onnx::Emit& emit, const Reporter& reporter, std::string_view op);
  ~OriginScope() { emit_.set_origin(outer_); }
  OriginScope(const OriginScope&) = delete;
  OriginScope& operator=(const OriginScope&) = delete;

 private:
  onnx::Emit& emit_;
  const onnx::Origin* outer_;
};

}  // namespace cameo::eval
