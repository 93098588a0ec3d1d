#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sym/expr.h"

namespace cameo {

// Sizes of the inputs that the program was saved or is exported with.
struct ExampleSizes {
  std::map<std::string, std::int64_t> dynamic;  // by the size's name, where the example is known
  std::set<std::int64_t> fixed;
  std::vector<sym::Expr> symbols;  // every dynamic size
};

}  // namespace cameo
