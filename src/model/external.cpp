#include "model/external.h"

#include <algorithm>
#include <charconv>

#include "base/checked.h"
#include "cameo/diagnostic.h"

namespace cameo::model {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Where links lead to, too.
bool lies_in(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path outer = fs::canonical(folder, error);
  if (error) return false;
  const fs::path inner = fs::canonical(file, error);
  return !error && std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace

ExternalFiles::ExternalFiles(const std::string& model_path) : folder_(fs::path(model_path).parent_path()) {
  if (folder_.empty()) folder_ = ".";
}

std::shared_ptr<const MappedFile> ExternalFiles::open(std::string_view location) {
  if (const auto found = files_.find(location); found != files_.end()) return found->second;
  std::shared_ptr<const MappedFile> file;
  const fs::path path = folder_ / fs::path(location);
  if (!location.empty() && location.find('\0') == location.npos && fs::path(location).is_relative() &&
      lies_in(folder_, path)) {
    try {
      file = MappedFile::open(path.string());
    } catch (const Error&) {
      file = nullptr;
    }
  }
  return files_.emplace(location, std::move(file)).first->second;
}

std::optional<ExternalFiles::Part> ExternalFiles::find(const onnx::proto::Tensor& tensor,
                                                       std::uint64_t size) {
  std::string_view location;
  std::optional<std::uint64_t> offset = 0;
  for (const onnx::proto::Entry& entry : tensor.external_data) {
    if (entry.key == "location") location = entry.value;
    if (entry.key == "offset") offset = number(entry.value);
    if (entry.key == "length" && number(entry.value) != size) return std::nullopt;
  }
  const std::shared_ptr<const MappedFile> file = open(location);
  const auto end = offset ? checked_add(*offset, size) : std::nullopt;
  if (!file || !end || *end > file->bytes().size()) return std::nullopt;
  return Part{file, *offset, file->bytes().subspan(*offset, size)};
}

}  // namespace cameo::model
