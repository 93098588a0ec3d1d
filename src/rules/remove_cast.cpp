#include "onnx/graph/type.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool remove_cast(Patch& patch, onnx::Node& cast) {
  const auto to = onnx::from_onnx(static_cast<int>(integer(cast, "to", 0)));
  return cast.inputs[0]->type.kind == onnx::Type::Kind::tensor && to == cast.inputs[0]->dtype() &&
         patch.bypass(cast, cast.inputs[0]);
}

}  // namespace cameo::rules
