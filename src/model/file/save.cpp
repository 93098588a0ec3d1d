#include "model/file/save.h"

#include <functional>

#include "model/file/relocation.h"
#include "onnx/proto/encode.h"

namespace cameo::model {
Written save(const Opened& opened, const std::string& path, bool sync) {
  Relocation relocation(opened.file->name(), path);
  onnx::proto::Encoded encoded = encode(opened.model, std::ref(relocation));
  if (!fits_one_file(encoded)) {
    relocation.take_elements(opened.graph().initializers);
    encoded = encode(opened.model, std::ref(relocation));
  }
  Files files{.model = encoded,
              .source = opened.file.get(),
              .sync = sync,
              .too_large_hint = "a model of this size needs its weights as external data"};
  if (relocation.copies()) files.data = [&relocation](NewFile& data) { relocation.put(data); };
  return write_files(path, files);
}

}  // namespace cameo::model
