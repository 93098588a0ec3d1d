#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "base/checked.h"
#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::optional<std::string_view> location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

// Below the model's folder, and said without any way out of it.
bool inside_folder(std::string_view location) {
  const fs::path path(location);
  if (location.empty() || path.is_absolute() || location.find('\0') != location.npos) return false;
  for (const fs::path& part : path)
    if (part == "..") return false;
  return true;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

Place place_of(Report& report, const proto::Tensor& tensor, std::string_view name) {
  Place place;
  for (const proto::Entry& entry : tensor.external_data) {
    if (entry.key == "location") place.location = entry.value;
    if (entry.key != "offset" && entry.key != "length") continue;
    const auto value = number(entry.value);
    if (!value)
      report.error("external-data", fmt::format("the {} of {} in its file is '{}', which is no number",
                                                entry.key, name, entry.value));
    else if (entry.key == "offset")
      place.offset = *value;
    else
      place.length = *value;
  }
  return place;
}

void check_file(const Context& context, const Place& place, std::string_view name, std::uint64_t size) {
  Report& report = context.report;
  const fs::path path = fs::path(*context.options.folder) / fs::path(*place.location);
  std::error_code error;
  const std::uint64_t there = fs::file_size(path, error);
  if (error)
    return report.error("external-file", fmt::format("{} should lie in {}, which cannot be read: {}", name,
                                                     path.string(), error.message()));
  const auto end = checked_add(place.offset, size);
  if (!end || *end > there)
    report.error("external-range", fmt::format("{} should lie at bytes {} to {} of {}, which has {}", name,
                                               place.offset, end.value_or(0), path.string(), there));
}

}  // namespace

void check_external(const Context& context, const proto::Tensor& tensor, std::string_view name,
                    std::optional<std::uint64_t> size) {
  Report& report = context.report;
  const Place place = place_of(report, tensor, name);
  if (!place.location)
    return report.error("external-data",
                        fmt::format("{} lies in another file, and does not say in which", name));
  if (!inside_folder(*place.location))
    return report.error(
        "external-outside",
        fmt::format("{} should lie in '{}', which is not in the model's folder", name, *place.location),
        "a model names the files of its data by a path that goes down from its own folder");
  if (!size) return report.error("tensor-dims", fmt::format("the dimensions of {} are too large", name));
  if (place.length && *place.length != *size)
    report.error("tensor-size",
                 fmt::format("{} takes {} bytes, and {} are set aside for it", name, *size, *place.length));
  if (context.options.folder) check_file(context, place, name, *size);
}

}  // namespace cameo::onnx
