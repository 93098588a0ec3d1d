#pragma once
#include <span>
#include <string>

#include "cameo/session.h"

namespace cameo::runtime {

// What to do when a run with these feeds was refused as an invalid argument; empty if they fit the inputs.
std::string explain_refusal(std::span<const ValueInfo> inputs, std::span<const Session::Feed> feeds);

}  // namespace cameo::runtime
