#pragma once
// One function and one file a rule; rules.cpp says what each is for.

#include "rules/patch.h"

namespace cameo::rules {

bool fold_batch_norm_into_convolution(Patch& patch, onnx::Node& norm);
bool fold_batch_norm_into_linear(Patch& patch, onnx::Node& norm);
bool merge_casts(Patch& patch, onnx::Node& cast);
bool merge_pad(Patch& patch, onnx::Node& window);
bool merge_reshapes(Patch& patch, onnx::Node& reshape);
bool merge_transposes(Patch& patch, onnx::Node& transpose);
bool remove_cast(Patch& patch, onnx::Node& cast);
bool remove_expand(Patch& patch, onnx::Node& expand);
bool remove_identity(Patch& patch, onnx::Node& identity);
bool remove_pad(Patch& patch, onnx::Node& pad);
bool remove_reshape(Patch& patch, onnx::Node& reshape);
bool remove_slice(Patch& patch, onnx::Node& slice);
bool remove_transpose(Patch& patch, onnx::Node& transpose);

}  // namespace cameo::rules
