#pragma once
#include <string>

#include "export/in_memory.h"
#include "view/document/build.h"

namespace cameo::view {

// Adds the texts of a program and the lines of its nodes. Python files are looked for in `folder`, if it is not
// empty; otherwise only the lines that the program holds are known. `kind` is that of the program's own text:
// "torchscript" or "exported".
void add_sources(Built& built, const Exported& exported, const std::string& kind, const std::string& folder);

// For a model alone: the lines that the metadata of its nodes names.
void add_named_lines(Built& built, const std::string& folder);

}  // namespace cameo::view
