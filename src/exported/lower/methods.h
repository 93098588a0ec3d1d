#pragma once
// Graphs as methods of the root class: forward(), and one method for each subgraph. A node becomes one
// statement; a higher-order operator becomes an `if`, a `while`, a `for` or a call.

#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "exported/lower/modules.h"
#include "exported/lower/stack_trace.h"
#include "exported/program.h"

namespace cameo::exported {

struct Methods {
  std::string text;
  std::vector<NodeSourceMap::Entry> entries;  // ranges within the text
};

// A graph that becomes a method.
struct MethodTask {
  const Graph* graph = nullptr;
  std::string name;
  // The graph ran under autocast. It has no casts; the recorded element types tell where they were.
  bool autocast = false;
};

// The methods that are still to be written. Each has its own name.
class MethodQueue {
 public:
  // Returns the name of the method.
  std::string add(const Subgraph& subgraph, bool autocast);
  std::deque<MethodTask>& tasks() { return tasks_; }

 private:
  std::deque<MethodTask> tasks_;
  std::unordered_set<std::string> names_ = {"forward"};
};

// Adds the modules of the nodes to `modules`, whose root is the type of self. Throws Error if the file is damaged.
Methods lower_methods(const Program& program, Modules& modules);

}  // namespace cameo::exported
