#pragma once
// Translates the newest form of ONNX operators to older opsets. Opset numbers of operators occur only here
// and in src/onnx/upgrade.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/emit/emit.h"
#include "onnx/infer/infer.h"

namespace cameo::onnx {

// A node that is translated to an older opset. A step changes `node` in place, or emits other nodes and
// stores their results in `instead`.
struct Translation {
  Emit& emit;
  int opset;
  Node& node;
  const std::vector<Inferred>& results;
  int since = 0;  // the opset whose changes the current step undoes
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
  Step expand = nullptr;           // uses other operators if the opset has none of its name
};

// The argument of Emit's constructor.
const Downgrade& downgrade();

// Throws NeedsOpset if the opset's If, Loop or Scan cannot have the types that `node` has.
void check_control(Emit& emit, Node& node);

}  // namespace cameo::onnx
