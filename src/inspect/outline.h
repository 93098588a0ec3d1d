#pragma once
// The module tree as rows to print.

#include <cstddef>
#include <optional>
#include <vector>

#include "inspect/modules.h"

namespace cameo::inspect {

struct Row {
  std::size_t module = 0;        // the first of the run
  std::size_t last = 0;          // the last of it
  std::size_t count = 1;         // equal modules in a row that this one stands for
  std::vector<bool> last_child;  // for each level below the root: nothing follows there
};

struct Outline {
  std::vector<Row> rows;
  std::size_t depth = 0;   // levels below the root that are shown
  std::size_t hidden = 0;  // modules below that depth
};

// Modules in a row whose names differ by their numbers only and that are equal in class, weights and
// everything below are put into one row, unless `expand`. Without `depth`, as many levels as fit a screen.
Outline outline(const ModuleTree& tree, std::optional<int> depth, bool expand);

}  // namespace cameo::inspect
