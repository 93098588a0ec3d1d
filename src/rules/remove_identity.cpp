#include "rules/list.h"

namespace cameo::rules {

bool remove_identity(Patch& patch, onnx::Node& identity) {
  return patch.bypass(identity, identity.inputs[0]);
}

}  // namespace cameo::rules
