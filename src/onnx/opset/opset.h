#pragma once
// What each ONNX operator was in older opsets, and how its newest form is said there. The only place with
// opset numbers, but for the way back in src/onnx/raise.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/emit.h"
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

// Brings `node` into the words of the emitter's opset. Returns the values to use if it became other nodes,
// and nothing if `node` (changed perhaps) is to be created. Throws Error (code "needs-opset") where it cannot
// be said.
std::vector<Value*> translate(Emit& emit, Node& node, const std::vector<Inferred>& results);

// The same for If, Loop and Scan: throws where older ones could not hold what `node` holds.
void check_control(Emit& emit, Node& node);

// Whether Identity took sequences.
bool identity_takes_sequences(int opset);

}  // namespace cameo::onnx
