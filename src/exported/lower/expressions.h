#pragma once
#include <string>

#include "exported/graph.h"
#include "exported/lower/names.h"

namespace cameo::exported {

// A literal of the language: 1.0, inf.
std::string literal(double value);

// An argument of a node as an expression. A subgraph, and an alternative that is not known, give None.
std::string expression(const Argument& argument, Variables& variables);

// The items of a list as expressions; an argument that is not a list is its own single item.
std::vector<std::string> items(const Argument& argument, Variables& variables);

}  // namespace cameo::exported
