#pragma once
#include <span>
#include <string>

#include "cameo/session.h"

namespace cameo::runtime {

// What to do when a run was refused; empty if what was fed and asked for fits the model.
std::string explain_feeds(std::span<const ValueInfo> inputs, std::span<const Session::Feed> feeds);
std::string explain_outputs(std::span<const ValueInfo> outputs, std::span<const std::string> asked);

}  // namespace cameo::runtime
