#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "cameo/export.h"
#include "cameo/rewrite.h"

namespace cameo::eval {

struct Options {
  // Loops around tensor operators are unrolled if their trip count is known and at most this; 0: none are.
  std::int64_t unroll = 0;
  // Parameters and buffers become inputs of the graph when they are loaded, with their path as name.
  bool parameters_as_inputs = false;
  std::set<std::string> state_inputs = {};  // likewise the tensors with these paths
  TrainingMode training = TrainingMode::eval;
  OperatorExport operators = OperatorExport::onnx;
  const Registry* converters = nullptr;  // those of the user
  const Rewrites* rewrites = nullptr;    // the user's rules
  std::string target;                    // the runtime that the model is for; empty: any
};

}  // namespace cameo::eval
