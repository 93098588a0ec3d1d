#pragma once
#include <functional>
#include <span>
#include <string>

#include "cameo/session.h"

namespace cameo::calibration {

// Calls use(feeds) with one sample after the other; one file is in memory at a time. Throws Error as
// calibrate() says.
void each_sample(const std::string& data, std::span<const ValueInfo> inputs,
                 const std::function<void(const std::vector<Session::Feed>&)>& use);

}  // namespace cameo::calibration
