#pragma once
#include <string>

#include "base/mapped_file.h"
#include "onnx/proto/messages.h"
#include "write/write.h"

namespace cameo::model {

// Writes a model to a file; nothing of it is lost (onnx/proto/encode.h says how to get it in memory). Long
// runs of bytes that point into `source`, the file that the model was read from, are copied from file to
// file. External data that lies in the folder of `path` or below stays where it is, and the new model names
// it; other external data is copied to "<path>.data", so that no model is without its numbers. The files
// appear under their names when they are complete. Throws Error (stage write; stage read for external data
// that is not there).
Written save(const onnx::proto::Model& model, const std::string& path, const MappedFile& source);

}  // namespace cameo::model
