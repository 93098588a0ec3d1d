#pragma once
#include <cstdint>

#include "eval/assignments.h"
#include "eval/expressions.h"
#include "eval/module_blocks.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

class Rewriter;

// Runs statements in the frame of a function call.
class Statements {
 public:
  // Loops of at most `unroll` iterations are unrolled.
  Statements(Evaluation& evaluation, Expressions& expressions, Assignments& assignments, Rewriter& rewriter,
             CallStack& stack, std::int64_t unroll)
      : ev_(evaluation),
        expressions_(expressions),
        assignments_(assignments),
        rewriter_(rewriter),
        stack_(stack),
        unroll_(unroll) {}

  // Stops after a statement that returns.
  void run(Frame& frame, const script::Block& block);

 private:
  void run(Frame& frame, const script::Stmt& stmt);
  void run_delete(Frame& frame, const script::Delete& stmt);
  void run_if(Frame& frame, const script::If& stmt);
  void run_for(Frame& frame, const script::For& stmt);
  void run_while(Frame& frame, const script::While& stmt);
  void run_with(Frame& frame, const script::With& stmt);
  // A block that rules may change, as a call of its module. False if the block is none of a module.
  bool run_module(Frame& frame, const script::With& stmt);
  Arguments arguments_of(Frame& frame, ModuleBlock& block);
  void assign_results(Frame& frame, const ModuleBlock& block, const Value& result);
  Value call_block(Frame& frame, const script::With& stmt, const ModuleBlock& block,
                   const Arguments& arguments);

  Evaluation& ev_;
  Expressions& expressions_;
  Assignments& assignments_;
  Rewriter& rewriter_;
  CallStack& stack_;
  std::int64_t unroll_;
  ModuleBlocks blocks_;
};

}  // namespace cameo::eval
