#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/mapped_file.h"
#include "onnx/proto/messages.h"

namespace cameo::model {

// The files that hold the external data of a model. Each is mapped once, at its first use.
class DataFiles {
 public:
  explicit DataFiles(std::string model) : model_(std::move(model)) {}

  struct Part {
    std::shared_ptr<const MappedFile> file;  // null: no bytes are needed
    std::uint64_t offset = 0, length = 0;
    Bytes bytes() const { return file ? file->bytes().subspan(offset, length) : Bytes{}; }
  };
  // The elements of `tensor`, which must be external(). Throws Error (stage read) if they do not lie below
  // the model's folder, or there are not so many.
  Part find(const onnx::proto::Tensor& tensor);

  // A place in the model's folder, which is where names of files start from.
  std::string path_of(onnx::proto::Text location) const;

 private:
  std::string model_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> files_;
};

}  // namespace cameo::model
