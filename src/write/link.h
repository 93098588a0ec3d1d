#pragma once
#include <optional>
#include <string>

#include "write/proto.h"

namespace cameo {

// Weights that stay in the archive they came from: the model names it as the file that holds them.
class ArchiveLinks {
 public:
  explicit ArchiveLinks(const std::string& model) : model_(model) {}

  // Where `data` lies in its archive; nothing for what is not there as it is needed, and belongs into the
  // model. Throws Error (stage write) if it is there but a runtime could not read it: compressed, in the
  // other byte order, at an odd place, or in a folder that the model cannot name.
  std::optional<External> place(const onnx::Data& data);

 private:
  const std::string& name_of(const MappedFile& archive);

  const std::string& model_;
  std::string name_;  // of the archive, relative to the model
};

}  // namespace cameo
