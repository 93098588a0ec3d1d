#pragma once
#include <optional>
#include <string>

#include "torch_operators.h"

namespace cameo::torch {

// A replacement for an operator that libtorch lacks: older versions do not have it, or PyTorch defines it in Python.
// `name` is as operator_name() gives it.
std::optional<TorchOperator> find_substitute(const std::string& name);

// A form of an operator that does not depend on the strides of its argument. A graph records a view where a kernel of
// PyTorch 2 returned suitable strides; the kernel of another version may return others.
std::optional<TorchOperator> find_lenient(const std::string& name);

}  // namespace cameo::torch
