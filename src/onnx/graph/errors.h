#pragma once
// Errors that callers distinguish by their type.

#include <string>
#include <utility>

#include "cameo/diagnostic.h"

namespace cameo::onnx {

// The operands of a node do not fit together. The message does not name the operator.
class ShapeMismatch : public Error {
 public:
  explicit ShapeMismatch(std::string message)
      : Error(Diagnostic{.code = Code::shape_mismatch, .message = std::move(message)}) {}
};

// The opset has no form of the operator, or of its control flow.
class NeedsOpset : public Error {
 public:
  using Error::Error;
};

}  // namespace cameo::onnx
