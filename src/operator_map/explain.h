#pragma once
// The effect of each argument on the nodes.

#include <string>
#include <vector>

#include "operator_map/variants.h"

namespace cameo::operator_map {

// The inputs, attributes and nodes that depend on one argument.
struct Effect {
  std::string argument;
  std::vector<std::string> where;  // "sizes of Resize", "adds Mul"; empty: nothing
};

std::vector<Effect> effects(const Operator& op, const Conversion& base, const std::vector<Variant>& variants);

// The arguments that decide an input or an attribute of the node at `index`.
std::vector<std::string> decided_by(const Conversion& base, std::size_t index, const Slot& slot,
                                    const std::vector<Variant>& variants);

}  // namespace cameo::operator_map
