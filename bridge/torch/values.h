#pragma once
#include <ATen/core/ivalue.h>

#include <span>

#include "cameo/array.h"
#include "cameo/input_spec.h"

namespace cameo::torch {

// Owns its contents.
at::Tensor to_torch(const Array& array);
// A copy. Throws Error if no element type fits.
Array from_torch(const at::Tensor& tensor);

// An argument as it was described; its tensors are taken from the front of `tensors`.
c10::IValue to_torch(const InputSpec& spec, std::span<const Array>& tensors);

// Takes tuples, lists and dicts apart; numbers are tensors without dimensions, None is left out.
void flatten(const c10::IValue& value, std::vector<Array>& out);

}  // namespace cameo::torch
