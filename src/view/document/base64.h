#pragma once
#include <string>

#include "base/mapped_file.h"

namespace cameo::view {

std::string to_base64(Bytes bytes);  // with padding, without line breaks

}  // namespace cameo::view
