#pragma once
#include <map>
#include <string>

#include "cameo/export.h"
#include "onnx/proto/messages.h"

namespace cameo::verify {

struct Origin {
  std::string op, module_path, python;
  bool operator==(const Origin&) const = default;
};
using Origins = std::map<std::string, Origin, std::less<>>;  // by the node's name

// The origins of nodes, from the metadata of the model. Without metadata, exports the program again with
// `options`, into memory, and matches nodes by their names.
Origins origins_of(const onnx::proto::Model& model, const std::string& program, ExportOptions options);

}  // namespace cameo::verify
