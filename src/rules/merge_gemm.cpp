#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

using onnx::Value;

bool is_matrix(const Value* value) { return is_real(value) && value->has_rank() && value->rank() == 2; }

// A shape that Gemm broadcasts to its result.
bool fits(const Value* bias, const Value* result) {
  if (!is_real(bias) || !bias->has_rank() || bias->rank() > 2) return false;
  const onnx::Shape& sizes = *bias->type.shape;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (onnx::known(sizes[i]) != 1 && sizes[i] != (*result->type.shape)[i + 2 - sizes.size()]) return false;
  return true;
}

}  // namespace

bool merge_gemm(Patch& patch, onnx::Node& sum) {
  for (const std::size_t side : {0, 1}) {
    Value* product = sum.inputs[side];
    Value* bias = sum.inputs[1 - side];
    const onnx::Node* matmul = made_by(product, {"MatMul"});
    if (!matmul) continue;
    if (!patch.require(!quantized(*matmul), "the MatMul is quantised") ||
        !patch.require(patch.read_once(product), "another node reads the result of the MatMul") ||
        !patch.require(is_matrix(matmul->inputs[0]) && is_matrix(matmul->inputs[1]) && is_matrix(product),
                       "the operands of the MatMul are not known to be matrices of floating-point numbers") ||
        !patch.require(fits(bias, product), "the shape of the other operand does not fit a Gemm"))
      return false;
    sum.op = "Gemm";
    sum.attributes.clear();
    patch.set_inputs(sum, {matmul->inputs[0], matmul->inputs[1], bias});
    return true;
  }
  return patch.require(false, "no operand is the result of a MatMul");
}

}  // namespace cameo::rules
