#pragma once
// Calls with complex numbers, converted by a converter of real numbers.

#include <span>

#include "aten/op.h"

namespace cameo::aten {

// Whether a tensor, a number or a dtype among the arguments is complex.
bool has_complex(const Schema& schema, std::span<const Arg> args);

// Converts the call as the operator's fact `complex` says. Throws Unsupported if it says nothing.
Returns by_parts(const Op& op, Emit& e, std::span<const Arg> args);

}  // namespace cameo::aten
