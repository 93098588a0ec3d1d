#pragma once
// Records what the rules find at one node.

#include <string>

#include "cameo/model.h"
#include "model/file/open.h"
#include "model/simplify/rebuilt.h"
#include "rules/rules.h"

namespace cameo::model {

class Explainer {
 public:
  // Looks for the node in the file, by its name or the name of one of its outputs; an empty name: no node.
  // Throws Error (Code::no_such_node) if there is none.
  Explainer(const Opened& opened, const std::string& name);

  // The rules are about to look at this graph.
  void begin(const Rebuilt& rebuilt);
  // Records the outcome if the node is the one that is asked for.
  void record(const Rebuilt& rebuilt, const onnx::Node& node, const rules::Rule& rule,
              std::string_view reason);

  std::optional<NodeExplanation> take() { return std::move(explanation_); }

 private:
  bool asked_for(const Rebuilt& rebuilt, const onnx::Node& node) const;

  std::string name_;
  std::optional<NodeExplanation> explanation_;
};

}  // namespace cameo::model
