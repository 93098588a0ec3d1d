#include "model/open.h"

#include "cameo/diagnostic.h"
#include "onnx/proto/read.h"

namespace cameo::model {

Opened::Opened(const std::string& path)
    : file(MappedFile::open(path)), model(onnx::proto::read(file->bytes(), path)) {
  if (model.graph) return;
  throw Error(Diagnostic{.stage = Stage::read,
                         .code = "no-graph",
                         .message = "the ONNX file holds no graph",
                         .file = path,
                         .hint = "see what is wrong with it: cameo check"});
}

}  // namespace cameo::model
