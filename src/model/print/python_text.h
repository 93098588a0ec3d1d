#pragma once
// Values as Python writes them.

#include <string>
#include <string_view>
#include <vector>

namespace cameo::model {

// The characters of a text; bytes that are no UTF-8 are left out.
std::vector<std::string_view> characters(std::string_view utf8);

std::string python_float(double value);                                      // repr: 1.0, 1e-05, inf
std::string python_string(const std::vector<std::string_view>& characters);  // repr: 'it', "it's", '\n'

}  // namespace cameo::model
