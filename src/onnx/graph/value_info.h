#pragma once
// The types of graph values as the public API describes them.

#include <string>

#include "cameo/value_info.h"
#include "onnx/graph/type.h"

namespace cameo::onnx {

ElementType element_type(DType dtype);
DType dtype_of(ElementType type);  // undefined for a type that PyTorch does not have

// Sizes are numbers, or formulas as text.
ValueInfo value_info(std::string name, const Type& type);

}  // namespace cameo::onnx
