#pragma once
#include <functional>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// An `if` whose condition is a runtime value. Both sides are evaluated in subgraphs of an If node, and their
// effects are merged. If one side only raises, the evaluation assumes that the other side is taken.
class Brancher {
 public:
  Brancher(Evaluation& evaluation, Frame& frame) : ev_(evaluation), frame_(frame) {}

  void run(const Value& condition, const std::function<void()>& then_side,
           const std::function<void()>& else_side);
  // The value of a conditional expression.
  Value choose(const Value& condition, const std::function<Value()>& then_value,
               const std::function<Value()>& else_value);

 private:
  struct Side;
  Side evaluate(const Value& condition, bool truth, const std::function<void()>& work);
  void assume(const Value& condition, bool truth, const std::string& message);
  void forget(const Side& then_side, const Side& else_side);
  void merge(const Value& condition, Time since, const Side& then_side, const Side& else_side);
  Evaluation& ev_;
  Frame& frame_;
};

}  // namespace cameo::eval
