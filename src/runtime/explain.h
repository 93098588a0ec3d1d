#pragma once
#include <span>
#include <string>

#include "cameo/session.h"

namespace cameo::runtime {

// A hint for a run that failed; empty if the inputs and the requested outputs fit the model.
std::string explain_feeds(std::span<const ValueInfo> inputs, std::span<const Session::Feed> feeds);
std::string explain_outputs(std::span<const ValueInfo> outputs, std::span<const std::string> asked);

}  // namespace cameo::runtime
