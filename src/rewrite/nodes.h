#pragma once
#include "cameo/conversion.h"
#include "rewrite/rules.h"

namespace cameo::rewrite {

// Adds the nodes of a replacement. The arguments of the conversion have the names that the replacement reads;
// the parameter `$path` is the argument of this name. Throws ConversionError if the nodes do not fit the arguments.
Results add_nodes(const Nodes& nodes, Conversion& conversion);

}  // namespace cameo::rewrite
