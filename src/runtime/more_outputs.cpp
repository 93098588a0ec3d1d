#include "runtime/more_outputs.h"

#include "model/graph/value_infos.h"
#include "onnx/proto/encode.h"
#include "onnx/proto/read.h"

namespace cameo::runtime {

std::string with_outputs(Bytes model, const std::vector<std::string>& names) {
  onnx::proto::Model read = onnx::proto::read(model, "the model");
  const std::vector<std::string_view> values(names.begin(), names.end());
  model::add_outputs(read.graph ? *read.graph : read.graph.emplace(), values);
  return encode(read);
}

}  // namespace cameo::runtime
