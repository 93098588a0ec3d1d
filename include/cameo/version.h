#pragma once
#include <string_view>

namespace cameo {

// The version of the library, such as "0.2.0": major, minor and patch of semantic versioning.
std::string_view version();
// The commit that the library was built from, as 12 hexadecimal digits; empty if it is not known.
std::string_view commit();

}  // namespace cameo
