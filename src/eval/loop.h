#pragma once
#include <functional>
#include <limits>
#include <optional>

#include "eval/evaluator.h"

namespace cameo::eval {

// Loops. One that touches only numbers and lists is just run. One around tensor operators becomes an ONNX
// Loop, whatever its trip count, unless unrolling is asked for, or the count is known and the body cannot be
// said as a Loop.
class Looper {
 public:
  Looper(Evaluator& evaluator, Frame& frame) : ev_(evaluator), frame_(frame), range_(frame.range) {}

  void run_counted(std::string_view variable, const Value& count, const script::Block& body);
  void run_while(const script::Expr& condition, const script::Block& body);

 private:
  // What a loop does in each turn, given the number of the turn; the result is whether to go on.
  struct Plan {
    std::function<void(const Dim& turn)> body;
    std::function<Value()> condition;  // null for a counted loop
    std::optional<Dim> count;          // of a counted loop
  };
  enum class Tried { done, emits, undecided };

  void run(const Plan& plan);
  Tried interpret(const Plan& plan, bool emit_freely,
                  std::int64_t limit = std::numeric_limits<std::int64_t>::max());
  void emit_loop(const Plan& plan);
  Evaluator& ev_;
  Frame& frame_;
  script::Range range_;  // of the loop
};

}  // namespace cameo::eval
