#pragma once
#include "ops/operator.h"

namespace cameo::ops {

OperatorEntry entry_of(const Operator& op, const OpsOptions& options);

// "one to one", "one to many", "no node", "no".
std::string outcome_of(const Conversion& conversion);

}  // namespace cameo::ops
