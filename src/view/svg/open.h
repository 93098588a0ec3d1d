#pragma once
#include <vector>

#include "view/document/document.h"

namespace cameo::view {

// By row: the groups below `group` that are at most `depth` levels deep. The bodies of an open control node are
// open, too.
std::vector<bool> open_groups(const Document& document, int group, int depth);

}  // namespace cameo::view
