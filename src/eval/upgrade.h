#pragma once
#include <optional>
#include <string_view>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// Runs an operator whose meaning changed after format version `version` as that version defines it. Nothing
// for all other operators.
std::optional<Value> upgrade(Evaluation& evaluation, int version, std::string_view op,
                             const Arguments& arguments);

}  // namespace cameo::eval
