#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/new_file.h"
#include "model/file/data_files.h"
#include "onnx/proto/encode.h"

namespace cameo::model {

// External data when a model is saved at another place. Data in the folder of the new model or below it stays
// there, and the new model names it; other data is copied into one file beside the new model. Elements that
// are computed can be written to that file, too.
class Relocation {
 public:
  Relocation(const std::string& from, const std::string& to);

  // Throws Error if the data is not there, or the new files would take its place.
  std::optional<onnx::proto::ExternalEntries> operator()(const onnx::proto::Tensor& tensor);

  // From now on, large elements of these tensors go to the file beside the model. They must stay until put().
  void take_elements(const std::vector<onnx::proto::Tensor>& tensors);

  bool copies() const { return !copies_.empty(); }
  void put(NewFile& data) const;

 private:
  struct Copy {
    DataFiles::Part part;
    std::uint64_t offset = 0;
    const onnx::Data* elements = nullptr;  // in place of a part of a file
  };
  std::uint64_t copied_to(const DataFiles::Part& part);
  // Throws Error if a new file would replace `file`.
  void spare(const std::filesystem::path& file) const;

  std::string to_;
  std::vector<std::filesystem::path> new_files_;
  std::filesystem::path folder_;  // of the new model
  bool stays_;                    // in the folder of the old one
  DataFiles files_;
  std::vector<Copy> copies_;
  std::map<std::tuple<const MappedFile*, std::uint64_t, std::uint64_t>, std::uint64_t> offsets_;
  std::set<const onnx::proto::Tensor*> taken_;
  std::uint64_t end_ = 0;
};

}  // namespace cameo::model
