#pragma once
// A document with some of its groups open, as boxes and lines in one coordinate system. web/src/document.ts says how
// opening a group moves the others.

#include <vector>

#include "view/document/document.h"

namespace cameo::view {

struct SceneBox {
  int item = 0;  // row of the items
  int x = 0, y = 0, w = 0, h = 0;
  bool open = false;  // a frame around the boxes that follow
  int depth = 0;      // frames around it
};
struct Point {
  int x = 0, y = 0;
};
struct SceneLine {
  int edge = 0;  // row of the edges
  int value = 0;
  // From end to end: a straight piece, a curve, a straight piece and so on. For a stub: its two ends.
  std::vector<Point> points;
  bool stub = false;
};
struct Scene {
  std::vector<SceneBox> boxes;  // frames before what is in them
  std::vector<SceneLine> lines;
  int width = 0, height = 0;
};

// The content of `group` with the groups for which `open` (by row) is true. Groups within closed ones do not count.
Scene make_scene(const Document& document, int group, const std::vector<bool>& open);

}  // namespace cameo::view
