#pragma once
#include <cstdint>

#include "eval/assignments.h"
#include "eval/expressions.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

// Runs statements in the frame of a function call.
class Statements {
 public:
  // Loops of at most `unroll` iterations are unrolled.
  Statements(Evaluation& evaluation, Expressions& expressions, Assignments& assignments, std::int64_t unroll)
      : ev_(evaluation), expressions_(expressions), assignments_(assignments), unroll_(unroll) {}

  // Stops after a statement that returns.
  void run(Frame& frame, const script::Block& block);

 private:
  void run(Frame& frame, const script::Stmt& stmt);
  void run_delete(Frame& frame, const script::Delete& stmt);
  void run_if(Frame& frame, const script::If& stmt);
  void run_for(Frame& frame, const script::For& stmt);
  void run_while(Frame& frame, const script::While& stmt);
  void run_with(Frame& frame, const script::With& stmt);

  Evaluation& ev_;
  Expressions& expressions_;
  Assignments& assignments_;
  std::int64_t unroll_;
};

}  // namespace cameo::eval
