#pragma once
// Operators by the names of Python: "F.interpolate", "nn.Conv2d", "torch.linalg.norm", "Tensor.view".

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cameo::operator_map {

// The operators behind a function or a module of PyTorch, with or without their namespace: "conv2d". `known`
// are the names of all operators, without namespaces. A name that is none of Python's is returned as it is.
std::vector<std::string> operators_behind(std::string_view python, const std::set<std::string>& known);

}  // namespace cameo::operator_map
