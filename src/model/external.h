#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "onnx/proto/messages.h"

namespace cameo::model {

// The files beside a model that hold its tensors, mapped when they are first asked for.
class ExternalFiles {
 public:
  explicit ExternalFiles(const std::string& model_path);

  struct Part {
    std::shared_ptr<const MappedFile> file;
    std::uint64_t offset = 0;
    Bytes bytes;
  };
  // The `size` bytes of an external tensor. Absent where the file says none: it lies outside of the model's
  // folder, cannot be read or is too short.
  std::optional<Part> find(const onnx::proto::Tensor& tensor, std::uint64_t size);

 private:
  std::shared_ptr<const MappedFile> open(std::string_view location);

  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> files_;  // null: cannot be opened
};

}  // namespace cameo::model
