#pragma once
#include <string>

#include "cameo/view.h"
#include "view/document/build.h"

namespace cameo::view {

// Adds numbers as an overlay, which is shown first. Returns how many names fit a node or a value.
std::size_t add_overlay(Built& built, const ViewOverlay& numbers);

// The same with the numbers of a JSON file:
//   a profile of ONNX Runtime                                the time of each node, in microseconds for a run
//   {"name": "latency", "unit": "ms", "values": {…}}         numbers by name of node or value; name and unit may
//                                                            be left out
// Throws Error if it is neither, or fits no node.
void add_overlay_file(Built& built, const std::string& path);

}  // namespace cameo::view
