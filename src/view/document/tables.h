#pragma once
#include "model/file/open.h"
#include "view/document/build.h"

namespace cameo::view {

// Fill the tables of a document whose `flat`, `grouping` and `origins` are complete.
void add_nodes(Built& built, const std::vector<Place>& places);
void add_values(Built& built);
void add_weights(Built& built, const model::Opened& opened, const BuildOptions& options);
void add_groups(Built& built);

}  // namespace cameo::view
