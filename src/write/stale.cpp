#include "write/stale.h"

#include <algorithm>
#include <filesystem>

#include "base/mapped_file.h"
#include "cameo/diagnostic.h"
#include "onnx/proto/external.h"
#include "onnx/proto/read.h"

namespace cameo {
namespace stale_data {

namespace fs = std::filesystem;
using namespace onnx::proto;

// Searches a model for a tensor with its elements in the file `name`.
class Search {
 public:
  explicit Search(std::string name) : name_(std::move(name)) {}

  bool operator()(const Model& model) const {
    const auto within = [this](const Function& function) {
      return in(function.nodes) || in(function.attribute_defaults);
    };
    const auto trained = [this](const TrainingInfo& info) {
      return (info.initialization && in(*info.initialization)) || (info.algorithm && in(*info.algorithm));
    };
    return (model.graph && in(*model.graph)) || std::ranges::any_of(model.functions, within) ||
           std::ranges::any_of(model.training, trained);
  }

 private:
  bool in(const Tensor& tensor) const {
    if (!tensor.external()) return false;
    const auto location = external_place(tensor).location;
    return location && fs::path(std::string(location->begin(), location->end())).lexically_normal() == name_;
  }
  bool in(const SparseTensor& tensor) const {
    return (tensor.values && in(*tensor.values)) || (tensor.indices && in(*tensor.indices));
  }
  bool in(const Attribute& attribute) const {
    return (attribute.t && in(*attribute.t)) || (attribute.g && in(*attribute.g)) ||
           (attribute.sparse_tensor && in(*attribute.sparse_tensor)) || in(attribute.tensors) ||
           in(attribute.graphs) || in(attribute.sparse_tensors);
  }
  bool in(const Node& node) const { return in(node.attributes); }
  bool in(const Graph& graph) const {
    return in(graph.initializers) || in(graph.sparse_initializers) || in(graph.nodes);
  }
  template <class T>
  bool in(const std::vector<T>& list) const {
    return std::ranges::any_of(list, [this](const T& each) { return in(each); });
  }

  fs::path name_;
};

// False also for a file that is not an ONNX model.
bool names(const fs::path& model, const fs::path& data) {
  try {
    const auto file = MappedFile::open(model.string());
    return Search(data.filename().string())(read(file->bytes(), file->name()));
  } catch (const Error&) {
    return false;
  }
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}

}  // namespace stale_data

StaleData::StaleData(const std::string& path, const std::string& data)
    : path_(path),
      data_(data),
      named_(stale_data::is_file(data) && stale_data::is_file(path) && stale_data::names(path, data)) {}

void StaleData::remove() const {
  namespace fs = std::filesystem;
  if (!named_ || stale_data::names(path_, data_)) return;
  std::error_code fault;
  const fs::path folder = fs::path(data_).parent_path();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, fault)) {
    const bool model = entry.path().extension() == ".onnx" && entry.is_regular_file(fault);
    if (model && stale_data::names(entry.path(), data_)) return;
  }
  if (!fault) fs::remove(data_, fault);
}

}  // namespace cameo
