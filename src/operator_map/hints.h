#pragma once
// Arguments of calls that convert: the sample of the operator's declaration, and values that fit parameters
// of some names in every operator ("kernel_size" is 3).

#include <optional>
#include <string_view>

#include "operator_map/sample.h"

namespace cameo::operator_map {

// The arguments of a call of this operator for which the declaration or the parameter's name gives a value.
Sample hinted_arguments(const aten::Op& op);
// The element type of a tensor parameter of this name, if it can be no other: "index" is i64.
std::optional<std::string_view> hinted_type(std::string_view parameter);

}  // namespace cameo::operator_map
