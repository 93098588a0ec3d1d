#pragma once
#include <ATen/core/ivalue.h>

#include <span>
#include <string_view>

namespace cameo::torch {

// A Python function of numbers that graphs call: "_operator.floordiv", "torch.sym_max".
using NumberFunction = c10::IValue (*)(std::span<const c10::IValue>);

// Null for any other target.
NumberFunction find_number_function(std::string_view target);

}  // namespace cameo::torch
