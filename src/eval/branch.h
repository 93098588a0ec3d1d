#pragma once
#include <functional>

#include "eval/evaluator.h"

namespace cameo::eval {

// An `if` whose condition only a run can tell: both sides are evaluated in subgraphs and merged. A side that
// only raises is an assumption instead.
class Brancher {
 public:
  Brancher(Evaluator& evaluator, Frame& frame) : ev_(evaluator), frame_(frame) {}
  void run(const Value& condition, const std::function<void()>& then_side,
           const std::function<void()>& else_side);

 private:
  struct Side;
  Side evaluate(const Value& condition, bool truth, const std::function<void()>& work);
  void put(const Place& place, State state);
  void assume(const Value& condition, bool truth, const std::string& message);
  Evaluator& ev_;
  Frame& frame_;
};

}  // namespace cameo::eval
