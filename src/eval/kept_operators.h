#pragma once
#include <string_view>
#include <vector>

#include "cameo/export.h"
#include "eval/state/evaluation.h"

namespace cameo::eval {

// Operators that stay PyTorch operators in the graph: an ATen node that names the operator, or a node with
// the operator's own name and domain.
class KeptOperators {
 public:
  KeptOperators(Evaluation& evaluation, OperatorExport mode) : ev_(evaluation), mode_(mode) {}

  // Whether the mode of the export keeps operators that have a conversion, too.
  bool keeps_converted() const { return mode_ == OperatorExport::aten; }
  // Whether the mode of the export permits a node for this operator if it cannot be converted.
  bool can_keep(std::string_view name) const;

  // A node for a call without a conversion, and a warning that names the assumed types of its results. Throws
  // aten::Unsupported if the node cannot hold the arguments or the types of the results are not known.
  std::vector<onnx::Value*> keep(std::string_view name, const Arguments& arguments);
  // A node for a call that has a conversion. The results have the types that the conversion gives. Results
  // that are known without a node stay known.
  aten::Returns keep(const aten::Bound& bound);

 private:
  std::vector<onnx::Value*> node(std::string_view op, std::string_view overload,
                                 std::vector<onnx::Value*> inputs, onnx::Attributes attributes,
                                 std::vector<onnx::Type> types);
  Evaluation& ev_;
  OperatorExport mode_;
};

}  // namespace cameo::eval
