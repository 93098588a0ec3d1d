#pragma once
#include <string>

#include "cameo/input_spec.h"

namespace cameo {

// The text form of an argument without its name, as parse_input() reads it: "f32[batch,3]", "(f32[1], 2)".
std::string to_text(const InputSpec& spec);

}  // namespace cameo
