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

// What a full name ("aten::add", "aten::add_") stands for; neither operators nor of_language: nothing known.
Found look_up(const std::string& full_name, const OpsOptions& options = {});

// The same for any way to say a name: "add", "add.Tensor", "torch.add". Several namespaces may have it.
// Throws Error (Code::no_such_operator) if none does.
std::vector<Found> find(std::string_view name, const OpsOptions& options = {});

}  // namespace cameo::operator_map
