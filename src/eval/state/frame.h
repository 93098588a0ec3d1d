#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "eval/state/arguments.h"

namespace cameo::eval {

// A call as it was before a rewriting rule replaced it.
using Origin = std::function<Value(const Arguments&)>;

// One function call that is being evaluated.
struct Frame {
  const script::SourceFile* file = nullptr;
  std::shared_ptr<Environment> environment;
  std::string function;     // "Net.forward", for call stacks
  std::string module_path;  // of the innermost module
  script::Range range;      // the statement or call that is being evaluated
  bool returned = false;
  Value result;
  const Origin* origin = nullptr;  // of a function that replaces a call: what origin(…) calls
};

// The function calls that are being evaluated. It does not own the frames.
class CallStack {
 public:
  std::size_t depth() const { return frames_.size(); }
  std::span<Frame* const> frames() const { return frames_; }  // innermost last
  const Frame* innermost() const { return frames_.empty() ? nullptr : frames_.back(); }
  std::string module_path() const { return frames_.empty() ? std::string() : frames_.back()->module_path; }

  // The frame is the innermost one as long as this lives.
  class Entered {
   public:
    Entered(CallStack& stack, Frame& frame) : stack_(stack) { stack_.frames_.push_back(&frame); }
    ~Entered() { stack_.frames_.pop_back(); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    CallStack& stack_;
  };

 private:
  std::vector<Frame*> frames_;
};

}  // namespace cameo::eval
