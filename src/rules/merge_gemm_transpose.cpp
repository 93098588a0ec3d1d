#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {

bool merge_gemm_transpose(Patch& patch, onnx::Node& gemm) {
  for (const std::size_t side : {0, 1}) {
    const onnx::Node* transpose = made_by(gemm.inputs[side], {"Transpose"});
    if (!transpose || permutation(*transpose) != Ints{1, 0}) continue;
    const char* flag = side == 0 ? "transA" : "transB";
    patch.set_attribute(gemm, flag, std::int64_t{integer(gemm, flag, 0) == 0});
    patch.set_input(gemm, side, transpose->inputs[0]);
    return true;
  }
  return patch.require(false, "no operand is the result of a Transpose of a matrix");
}

}  // namespace cameo::rules
