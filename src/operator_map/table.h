#pragma once
#include <string>
#include <vector>

namespace cameo::operator_map {

// Rows of cells in columns, each line indented by two; the last column is as wide as it is.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace cameo::operator_map
