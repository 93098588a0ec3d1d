#pragma once
#include <vector>

#include "eval/state/evaluation.h"

namespace cameo::eval {

class Expressions;

// Binds values to the targets of assignments, loops and comprehensions.
class Assignments {
 public:
  Assignments(Evaluation& evaluation, Expressions& expressions)
      : ev_(evaluation), expressions_(expressions) {}

  // `target` is a name, an attribute, an item of a container, or a tuple of targets.
  void bind(Frame& frame, const script::Expr& target, Value value);
  // Takes a tuple or list apart into `count` values. Throws Raised if it has another length.
  std::vector<Value> unpack(const Value& value, std::size_t count);
  // a, b = ...; a: T = ...
  void run(Frame& frame, const script::Assign& stmt);
  // a += ...
  void run(Frame& frame, const script::AugAssign& stmt);

 private:
  Evaluation& ev_;
  Expressions& expressions_;
};

}  // namespace cameo::eval
