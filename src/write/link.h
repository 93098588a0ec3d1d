#pragma once
#include <optional>
#include <string>

#include "base/mapped_file.h"
#include "onnx/graph/data.h"
#include "onnx/proto/external.h"

namespace cameo {

// Weights that stay in their archive: the model names the archive as the file of its external data.
class ArchiveLinks {
 public:
  explicit ArchiveLinks(const std::string& model) : model_(model) {}

  // The place of `data` in its archive. Nothing for elements that the archive does not hold in this form;
  // they belong into the model. Throws Error (stage write) if a runtime could not read them there:
  // compressed, in the other byte order, not aligned, or in a folder that the model cannot name.
  std::optional<onnx::proto::ExternalEntries> place(const onnx::Data& data);

 private:
  const std::string& name_of(const MappedFile& archive);

  const std::string& model_;
  std::string name_;  // of the archive, relative to the model
};

}  // namespace cameo
