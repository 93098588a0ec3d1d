#pragma once
// How older opsets write what the newest form of an ONNX operator says. Opset numbers of operators occur only
// here and in src/onnx/upgrade, the way back.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/emit/emit.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {

// A node on its way to an older opset. A step changes `node` in place, or says it by other nodes and leaves
// their results in `instead`.
struct Translation {
  Emit& emit;
  int opset;
  Node& node;
  const std::vector<Inferred>& results;
  int since = 0;  // the opset whose news the current step takes back
  std::vector<Value*> instead = {};
};

using Step = void (*)(Translation&);

// From the form that `since` introduced to the one valid just before it.
struct Revision {
  int since;
  Step down;
};

struct Revisions {
  std::string_view op;
  std::span<const Revision> list;  // newest first
  Step expand = nullptr;           // says it by other operators where the opset has none of its name
};

// What Emit is constructed with.
const Downgrade& downgrade();

// Throws NeedsOpset where the opset's If, Loop or Scan could not hold what `node` holds.
void check_control(Emit& emit, Node& node);

}  // namespace cameo::onnx
