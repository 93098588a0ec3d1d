#include "model/file/relocation.h"

#include <algorithm>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "onnx/proto/external.h"
#include "write/elements.h"
#include "write/files.h"

namespace cameo::model {
namespace {

namespace fs = std::filesystem;
using onnx::proto::ExternalEntries;

fs::path canonical(const std::string& path) {
  std::error_code fault;
  const fs::path absolute = fs::absolute(path, fault);
  const fs::path result = fs::weakly_canonical(absolute, fault);
  return fault ? absolute.lexically_normal() : result;
}

}  // namespace

Relocation::Relocation(const std::string& from, const std::string& to)
    : to_(to),
      new_files_{canonical(to)},
      folder_(new_files_[0].parent_path()),
      stays_(canonical(from).parent_path() == folder_),
      files_(from) {
  if (!stays_) new_files_.push_back(canonical(data_beside(to)));
}

void Relocation::spare(const fs::path& file) const {
  if (std::ranges::find(new_files_, file) == new_files_.end()) return;
  throw Error(
      Diagnostic{.code = Code::would_overwrite_data,
                 .message = fmt::format("this would overwrite {}, where data of the model is", file.string()),
                 .file = to_,
                 .hint = "name another place with -o"});
}

void Relocation::take_elements(const std::vector<onnx::proto::Tensor>& tensors) {
  constexpr std::size_t kLarge = 1024;
  for (const onnx::proto::Tensor& tensor : tensors)
    if (tensor.elements && tensor.elements->byte_size() >= kLarge) taken_.insert(&tensor);
  if (stays_ && !taken_.empty()) new_files_.push_back(canonical(data_beside(to_)));
  copies_.clear();
  offsets_.clear();
  end_ = 0;
}

std::optional<ExternalEntries> Relocation::operator()(const onnx::proto::Tensor& tensor) {
  if (taken_.contains(&tensor)) {
    const std::uint64_t offset = next_place(end_), size = tensor.elements->byte_size();
    end_ = offset + size;
    copies_.push_back({.part = {}, .offset = offset, .elements = tensor.elements.get()});
    return onnx::proto::external_entries(fs::path(data_beside(to_)).filename().string(), offset, size);
  }
  if (!tensor.external()) return std::nullopt;
  const onnx::proto::External place = external_place(tensor);
  if (stays_) {
    if (place.location) spare(canonical(files_.path_of(*place.location)));
    return std::nullopt;
  }
  const DataFiles::Part part = files_.find(tensor);
  const fs::path file = canonical(files_.path_of(*place.location));
  spare(file);
  const fs::path relative = file.lexically_relative(folder_);
  const bool below = !relative.empty() && *relative.begin() != "..";
  const std::uint64_t offset = below ? place.offset : copied_to(part);
  return onnx::proto::external_entries(
      below ? relative.generic_string() : fs::path(data_beside(to_)).filename().string(), offset,
      part.length);
}

std::uint64_t Relocation::copied_to(const DataFiles::Part& part) {
  const auto [found, fresh] = offsets_.try_emplace({part.file.get(), part.offset, part.length}, 0);
  if (!fresh) return found->second;
  found->second = next_place(end_);
  end_ = found->second + part.length;
  copies_.push_back({.part = part, .offset = found->second});
  return found->second;
}

void Relocation::put(NewFile& data) const {
  Elements elements(data);
  for (const Copy& copy : copies_) {
    data.append_zeros(copy.offset - data.size());
    if (copy.elements) elements.put(*copy.elements);
    if (copy.part.file) data.append(*copy.part.file, copy.part.offset, copy.part.length);
  }
  elements.finish();
}

}  // namespace cameo::model
