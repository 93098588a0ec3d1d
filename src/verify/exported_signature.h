#pragma once
#include <vector>

#include "exported/lower/inputs.h"
#include "exported/program.h"

namespace cameo::verify {

// The arguments of a run: the tensors and the runtime numbers of the user. Weights, constants and tokens are not.
inline std::vector<exported::ForwardInput> runtime_inputs(const exported::Program& program) {
  std::vector<exported::ForwardInput> inputs = exported::forward_inputs(program);
  std::erase_if(inputs, [](const exported::ForwardInput& input) {
    return input.spec->kind != exported::InputSpec::Kind::user_input || input.constant;
  });
  return inputs;
}

// Whether a graph output is a result of a run, and not the new value of a buffer or the like.
inline bool is_result(const exported::OutputSpec& output) {
  return output.kind == exported::OutputSpec::Kind::user_output ||
         output.kind == exported::OutputSpec::Kind::loss_output;
}

}  // namespace cameo::verify
