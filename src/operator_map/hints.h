#pragma once
// What a schema alone cannot tell of a call that works: which tensors hold indices, which shapes fit
// together.

#include <optional>
#include <span>
#include <string_view>

#include "operator_map/sample.h"

namespace cameo::operator_map {

struct Hint {
  std::string_view name;       // of operators or of parameters, separated by spaces
  std::string_view arguments;  // "input=f32[batch,6], weight=f32[8,6]"
};

std::span<const Hint> operator_hints();
std::span<const Hint> parameter_hints();

// The arguments that the hints give for a call of this operator.
Sample hinted_arguments(const aten::Schema& schema);
// The element type of a tensor parameter of this name, if it can be no other: "index" is i64.
std::optional<std::string_view> hinted_type(std::string_view parameter);

}  // namespace cameo::operator_map
