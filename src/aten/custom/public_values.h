#pragma once
// Converts values of the engine to values of the public API (cameo/conversion.h), and back. Mistakes of the
// user are ConversionErrors.

#include "aten/arg.h"
#include "cameo/conversion.h"

namespace cameo::aten {

ElementType element_type(DType dtype);
DType dtype_of(ElementType type);

Size to_size(const Dim& dim);
std::optional<Dim> to_dim(const Size& size);  // nothing if it is unknown

// The elements of a value that is known at export time.
std::optional<Contents> contents_of(const onnx::Value& value);
onnx::DataPtr to_data(const Contents& contents);

onnx::AttributeValue to_attribute(const NodeAttribute::Value& value);

}  // namespace cameo::aten
