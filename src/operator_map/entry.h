#pragma once
#include "operator_map/operator.h"

namespace cameo::operator_map {

OperatorEntry entry_of(const Operator& op, const OpsOptions& options);

// "one to one", "one to many", "no node", "no".
std::string outcome_of(const Conversion& conversion);

}  // namespace cameo::operator_map
