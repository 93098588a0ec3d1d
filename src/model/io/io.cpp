#include <unordered_set>

#include "cameo/model.h"
#include "model/file/open.h"
#include "model/graph/describe.h"

namespace cameo {

ModelIo Model::io() const {
  const model::Opened& opened = with_graph();
  std::unordered_set<std::string_view> initialized;
  for (const onnx::proto::Tensor& tensor : opened.graph().initializers) initialized.insert(tensor.name);
  ModelIo io;
  for (const onnx::proto::ValueInfo& input : opened.graph().inputs)
    if (!initialized.contains(input.name)) io.inputs.push_back(model::describe(input));
  for (const onnx::proto::ValueInfo& output : opened.graph().outputs)
    io.outputs.push_back(model::describe(output));
  return io;
}

}  // namespace cameo
