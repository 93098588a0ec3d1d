#pragma once
// One function and one file per rule; rules.cpp describes each rule.

#include "rules/patch.h"

namespace cameo::rules {

bool fold_batch_norm_into_convolution(Patch& patch, onnx::Node& norm);
bool fold_batch_norm_into_linear(Patch& patch, onnx::Node& norm);
bool fold_batch_norm_into_quantized(Patch& patch, onnx::Node& norm);
bool fold_bias(Patch& patch, onnx::Node& sum);
bool merge_casts(Patch& patch, onnx::Node& cast);
bool merge_concats(Patch& patch, onnx::Node& concat);
bool merge_gemm(Patch& patch, onnx::Node& sum);
bool merge_gemm_transpose(Patch& patch, onnx::Node& gemm);
bool merge_log_softmax(Patch& patch, onnx::Node& log);
bool merge_pad(Patch& patch, onnx::Node& window);
bool merge_reduce(Patch& patch, onnx::Node& last);
bool merge_reshapes(Patch& patch, onnx::Node& reshape);
bool merge_slices(Patch& patch, onnx::Node& last);
bool merge_squeezes(Patch& patch, onnx::Node& last);
bool merge_transposes(Patch& patch, onnx::Node& transpose);
bool move_dequantize(Patch& patch, onnx::Node& transpose);
bool remove_cast(Patch& patch, onnx::Node& cast);
bool remove_dropout(Patch& patch, onnx::Node& dropout);
bool remove_expand(Patch& patch, onnx::Node& expand);
bool remove_identity(Patch& patch, onnx::Node& identity);
bool remove_monotone(Patch& patch, onnx::Node& argmax);
bool remove_neutral(Patch& patch, onnx::Node& node);
bool remove_pad(Patch& patch, onnx::Node& pad);
bool remove_repeated(Patch& patch, onnx::Node& node);
bool remove_requantize(Patch& patch, onnx::Node& quantize);
bool remove_reshape(Patch& patch, onnx::Node& reshape);
bool remove_single(Patch& patch, onnx::Node& node);
bool remove_slice(Patch& patch, onnx::Node& slice);
bool remove_transpose(Patch& patch, onnx::Node& transpose);

}  // namespace cameo::rules
