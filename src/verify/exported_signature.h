#pragma once
#include <variant>

#include "exported/program.h"

namespace cameo::verify {

// Whether a graph input is an argument of a run: a tensor or a runtime number of the user. Weights, constants and tokens
// are not.
inline bool is_runtime_input(const exported::InputSpec& input) {
  const auto named = [](const auto* number) {
    return number && std::holds_alternative<exported::SymName>(*number);
  };
  return input.kind == exported::InputSpec::Kind::user_input &&
         (input.argument.get_if<exported::TensorName>() ||
          named(input.argument.get_if<exported::SymIntArgument>()) ||
          named(input.argument.get_if<exported::SymFloatArgument>()) ||
          named(input.argument.get_if<exported::SymBoolArgument>()));
}

// Whether a graph output is a result of a run: not the new value of a buffer or the like.
inline bool is_result(const exported::OutputSpec& output) {
  return output.kind == exported::OutputSpec::Kind::user_output ||
         output.kind == exported::OutputSpec::Kind::loss_output;
}

}  // namespace cameo::verify
