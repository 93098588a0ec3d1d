#pragma once
#include <string>

#include "view/document/build.h"

namespace cameo::view {

// Adds the numbers of a JSON file as an overlay, which is shown first:
//   a profile of ONNX Runtime                                the time of each node, in microseconds for a run
//   {"name": "latency", "unit": "ms", "values": {…}}         numbers by name of node or value; name and unit may
//                                                            be left out
// Throws Error if it is neither, or fits no node.
void add_overlay_file(Built& built, const std::string& path);

}  // namespace cameo::view
