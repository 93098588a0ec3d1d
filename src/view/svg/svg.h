#pragma once
// Pictures of a document.

#include <string>

#include "view/document/document.h"

namespace cameo::view {

struct PictureOptions {
  int depth = 1;     // groups to open, from the outermost; 0: none
  std::string only;  // the path of a module: the picture shows its content; empty: the whole model
};

// A drawing as SVG, with the type of the value beside each line. Throws Error if no module has the path of `only`.
std::string to_svg(const Document& document, const PictureOptions& options);

// The nodes and groups in the language of Graphviz.
std::string to_dot(const Document& document, const PictureOptions& options);

// The row of the group with this path. Throws Error if there is none.
int find_group(const Document& document, const std::string& path);

}  // namespace cameo::view
