#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The nodes that patterns select. A pattern is compared with the operator of a node, its name, its module and
// the modules around it: "Softmax", "/head/MatMul", "head", "lm_head*". The module of a node comes from its
// metadata, or from the scopes of its name.
class Kept {
 public:
  explicit Kept(const std::vector<std::string>& patterns);

  // A pattern also selects the node if it matches `weight`, the name of a weight that the node reads.
  bool operator()(const onnx::proto::Node& node, std::string_view weight = {});
  // Throws Error (Code::no_such_node) if a pattern has matched nothing.
  void require_matches(const std::string& file) const;

 private:
  struct Pattern {
    std::string text;
    bool used = false;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace cameo::model
