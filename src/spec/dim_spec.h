#pragma once
// Sizes as users write them.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "cameo/value_info.h"

namespace cameo {

struct ParsedDim {
  Dim dim;
  std::size_t end = 0;          // where the dimension ends in the text
  std::size_t range_start = 0;  // where its range begins, if it has one
};

// Parses the dimension that begins at `start`: "3", "?", "batch", "n>=2", "n<=512", "h=32..1024 step 32", or a
// formula such as "2*n + 1". Throws sym::FormulaError, which has the place of the fault.
ParsedDim parse_dim(std::string_view text, std::size_t start);

// The fault of a range; empty if it has none.
std::string fault_of(const SizeRange& range);

// The ranges of named sizes. A range may be given in one place or in several.
using SizeRanges = std::map<std::string, SizeRange>;
// Adds the range of a dimension, if it has a name and a range. Returns the fault if the name has another
// range already; else an empty text.
std::string add_range(SizeRanges& ranges, const Dim& dim);

}  // namespace cameo
