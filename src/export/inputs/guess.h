#pragma once
#include <string>
#include <vector>

#include "eval/evaluator.h"

namespace cameo {

// Inputs that a parameter of type Tensor may take, the likeliest first: "f32[1,3,224,224]".
struct Guess {
  std::vector<std::string> specs;
  std::string reason;  // "conv1 (Conv2d) takes 3 channels of f32"
};

// From the first layer that reads the parameter or, for the first parameter, from the first layer at all. No
// specs if there is no such layer.
Guess guess_input(const script::Program& program, const eval::Object& root, const script::FunctionDef& method,
                  std::size_t parameter);

}  // namespace cameo
