#pragma once
#include <string>
#include <vector>

#include "eval/state/value.h"

namespace cameo {

// Paths of the state that the evaluated program wrote to.
std::vector<std::string> changed_buffers(const eval::Object& root);

}  // namespace cameo
