#pragma once
#include "view/document/build.h"
#include "view/document/compare.h"

namespace cameo::view {

// Fill the tables of a document whose `flat`, `grouping` and `origins` are complete.
void add_nodes(Built& built, const std::vector<Place>& places);
void add_values(Built& built);
void add_weights(Built& built, const BuildOptions& options);
void add_groups(Built& built);
void add_comparison(Built& built, const Marks& marks, const std::map<std::string, std::string, std::less<>>& rules);

}  // namespace cameo::view
