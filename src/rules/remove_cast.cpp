#include "onnx/graph/type.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_cast(Patch& patch, onnx::Node& cast) {
  const auto to = onnx::from_onnx(static_cast<int>(integer(cast, "to", 0)));
  return patch.require(cast.inputs[0]->type.kind == onnx::Type::Kind::tensor,
                       "the type of its input is not known") &&
         patch.require(to == cast.inputs[0]->dtype(), "it changes the type") &&
         patch.bypass(cast, cast.inputs[0]);
}

}  // namespace cameo::rules
