#include "model/file/open.h"

#include "cameo/diagnostic.h"
#include "onnx/proto/read.h"

namespace cameo::model {

Opened::Opened(const std::string& path) : Opened(MappedFile::open(path)) { require_graph(); }

Opened::Opened(std::shared_ptr<const MappedFile> from)
    : file(std::move(from)), model(onnx::proto::read(file->bytes(), file->name())) {}

void Opened::require_graph() const {
  if (model.graph) return;
  throw Error(Diagnostic{.code = Code::no_graph,
                         .message = "the ONNX file has no graph",
                         .file = file->name(),
                         .hint = "run cameo check to see what is wrong"});
}

std::int64_t Opened::opset() const {
  for (const onnx::proto::OpsetImport& import : model.opset_imports)
    if (import.domain.empty() || import.domain == "ai.onnx") return import.version.value_or(0);
  return 0;
}

bool Opened::all_initializers_are_inputs() const { return model.ir_version.value_or(0) <= 3; }

}  // namespace cameo::model
