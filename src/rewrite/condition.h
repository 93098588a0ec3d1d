#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cameo/conversion.h"
#include "rewrite/rules.h"
#include "target/target.h"

namespace cameo::rewrite {

// The facts that the conditions of a rule read.
struct Facts {
  int opset = 0;
  const target::Target* target = nullptr;  // null: no target was given
  // The arguments of the call, or its results for a rule that applies after the call.
  std::span<const Argument> arguments;
};

// Whether all conditions of the rule hold. Throws Error (Code::bad_rewrite) for a condition that is not valid,
// and Error (Code::undecided_rewrite) for one that depends on something unknown at export time.
bool holds(const Rule& rule, const Facts& facts);

}  // namespace cameo::rewrite
