#include "onnx/downgrade/families.h"
#include "onnx/facts/facts.h"
#include "onnx/graph/versions.h"

namespace cameo::onnx {

int first_opset(std::string_view op) {
  const auto versions = facts::versions("", op);
  return versions.empty() ? kMinOpset : versions.front().since;
}

}  // namespace cameo::onnx
