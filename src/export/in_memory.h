#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cameo/export.h"
#include "onnx/graph/graph.h"
#include "onnx/proto/messages.h"
#include "script/program.h"

namespace cameo {

// A node that simplification removed.
struct RemovedNode {
  const onnx::Origin* origin = nullptr;  // null if it is not known
  std::string op;
  std::string rule;  // empty if no rule examined it last
};

// A program beside the model that it becomes. All parts refer to the program.
struct Exported {
  const script::Program& program;
  const onnx::Model& graph;
  const onnx::proto::Model& messages;  // of the same nodes
  const std::vector<RemovedNode>& removed;
  const ExportReport& report;
};

// Exports without writing, and calls `use` with the result. Throws as export_onnx() does.
void export_and_use(const std::string& model, const ExportOptions& options,
                    const std::function<void(const Exported&)>& use);

}  // namespace cameo
