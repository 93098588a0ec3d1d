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

// What the nodes of the model say of themselves. If they say nothing, the program is exported again as
// `options` say, into memory, and nodes are told by their names.
Origins origins_of(const onnx::proto::Model& model, const std::string& program, ExportOptions options);

}  // namespace cameo::verify
