#include "onnx/proto/external.h"

#include <charconv>
#include <filesystem>

namespace cameo::onnx::proto {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number(Text text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

External external_place(const Tensor& tensor) {
  External place;
  for (const Entry& entry : tensor.external_data) {
    if (entry.key == "location") place.location = entry.value;
    if (entry.key != "offset" && entry.key != "length") continue;
    const auto value = number(entry.value);
    if (!value)
      place.broken.push_back(&entry);
    else if (entry.key == "offset")
      place.offset = *value;
    else
      place.length = *value;
  }
  return place;
}

ExternalEntries external_entries(std::string location, std::uint64_t offset, std::uint64_t length) {
  return {{"location", std::move(location)},
          {"offset", std::to_string(offset)},
          {"length", std::to_string(length)}};
}

bool inside_folder(Text location) {
  const fs::path path(location);
  if (location.empty() || path.is_absolute() || location.find('\0') != location.npos) return false;
  for (const fs::path& part : path)
    if (part == "..") return false;
  return true;
}

}  // namespace cameo::onnx::proto
