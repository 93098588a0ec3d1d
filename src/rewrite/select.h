#pragma once
#include <span>

#include "rewrite/rules.h"

namespace cameo::rewrite {

// The rule that applies among those that match a call: the one with the highest priority, and among these the
// most specific one. Null if there are none. Throws Error (Code::ambiguous_rewrite) if there is no such rule;
// `what` names the call.
const Rule* most_specific(std::span<const Rule* const> matching, std::string_view what);

}  // namespace cameo::rewrite
