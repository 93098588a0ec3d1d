#pragma once
#include <string>
#include <string_view>

namespace cameo::exported {

// A size as users write formulas of sizes: "2*s0 + 1", "s0//2", "max(s0, 1)". Takes the text of an expression
// (expression.h). Throws Error if it has a function that formulas do not have.
std::string formula(std::string_view expression);

}  // namespace cameo::exported
