#pragma once
// Tensors of a model whose elements change while they are written.

#include "model/import/lift.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// The elements of a tensor. Throws Error (Code::external_data) if they are missing or cannot be read.
onnx::DataPtr elements_of(const onnx::proto::Tensor& tensor, Lift& lift);

// Gives the tensor other elements, of any type and shape. Its name, documentation and metadata stay.
void set_elements(onnx::proto::Tensor& tensor, onnx::DataPtr data);

// A tensor that has these elements.
onnx::proto::Tensor tensor_of(onnx::proto::Text name, onnx::DataPtr data);

}  // namespace cameo::model
