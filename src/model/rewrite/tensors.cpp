#include "model/rewrite/tensors.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"

namespace cameo::model {

namespace proto = onnx::proto;

onnx::DataPtr elements_of(const proto::Tensor& tensor, Lift& lift) {
  if (onnx::DataPtr data = lift.data(tensor)) return data;
  throw Error(Diagnostic{
      .code = Code::external_data,
      .message = fmt::format("the elements of '{}' are missing or cannot be read", printable(tensor.name)),
      .hint = "run cameo check to see what is wrong"});
}

void set_elements(proto::Tensor& tensor, onnx::DataPtr data) {
  proto::Tensor made = tensor_of(tensor.name, std::move(data));
  made.doc_string = tensor.doc_string;
  made.metadata = std::move(tensor.metadata);
  made.unknown = std::move(tensor.unknown);
  tensor = std::move(made);
}

proto::Tensor tensor_of(proto::Text name, onnx::DataPtr data) {
  proto::Tensor made;
  made.name = name;
  made.dims = data->shape();
  made.data_type = onnx::to_onnx(data->dtype());
  made.elements = std::move(data);
  return made;
}

}  // namespace cameo::model
