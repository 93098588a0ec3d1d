#pragma once
// Operators by their names.

#include <string>
#include <string_view>
#include <vector>

#include "operator_map/operator.h"

namespace cameo::operator_map {

struct Found {
  std::string name;                 // "aten::add_"
  std::vector<Operator> operators;  // the overloads; of the functional form if it is an in-place one
  bool in_place = false;
  bool of_language = false;  // on numbers, lists, strings or sizes: evaluated when exporting
};

// The operators of a full name ("aten::add", "aten::add_"). Without operators and of_language: the name is
// not known.
Found look_up(const std::string& full_name, const OpsOptions& options = {});

// The same for any form of a name: "add", "add.Tensor", "torch.add", "nn.Conv2d". Several namespaces may have it.
// Throws Error (Code::no_such_operator) if none does.
std::vector<Found> find(std::string_view name, const OpsOptions& options = {});

}  // namespace cameo::operator_map
