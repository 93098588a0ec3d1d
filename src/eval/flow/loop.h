#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// The parts of a loop that run in each iteration.
struct LoopPlan {
  std::function<void(const Dim& iteration)> body;
  std::function<Value()> condition;  // of a while loop; null for a counted loop
  std::optional<Dim> count;          // of a counted loop
};

// Evaluates loops. A loop over numbers and lists only is run at export time. A loop around tensor operators
// becomes an ONNX Loop. It is unrolled instead if the options ask for it, or if its trip count is known and
// its body has no form as the body of a Loop. The algorithm is described in loop.cpp.
class Looper {
 public:
  // Loops of at most `unroll` iterations are unrolled; 0: none are.
  Looper(Evaluation& evaluation, Frame& frame, std::int64_t unroll)
      : ev_(evaluation), frame_(frame), range_(frame.range), unroll_(unroll) {}

  // Runs `body` `count` times, with the number of the iteration in `variable`.
  void run_counted(std::string_view variable, const Value& count, const std::function<void()>& body);
  void run_while(std::function<Value()> condition, const std::function<void()>& body);

 private:
  enum class Tried { done, emits, undecided };
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  void run(const LoopPlan& plan);
  bool try_unrolled_while(const LoopPlan& plan);
  bool try_without_nodes(const LoopPlan& plan);
  bool try_loop(const LoopPlan& plan, bool may_unroll);
  Tried interpret(const LoopPlan& plan, bool emit_freely, std::int64_t limit = kNoLimit);

  Evaluation& ev_;
  Frame& frame_;
  script::Range range_;  // of the loop
  std::int64_t unroll_;
};

}  // namespace cameo::eval
