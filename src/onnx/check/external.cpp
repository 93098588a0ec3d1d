#include <filesystem>

#include <fmt/core.h>

#include "base/checked.h"
#include "onnx/check/context.h"
#include "onnx/proto/external.h"

namespace cameo::onnx {
namespace {

namespace fs = std::filesystem;

using proto::External;

External place_of(Report& report, const proto::Tensor& tensor, std::string_view name) {
  External place = proto::external_place(tensor);
  for (const proto::Entry* entry : place.broken)
    report.error(Code::external_data, fmt::format("the {} of {} in its file is '{}', which is not a number",
                                                  entry->key, name, entry->value));
  return place;
}

void check_file(const Context& context, const External& place, std::string_view name, std::uint64_t size) {
  Report& report = context.report;
  const fs::path path = fs::path(*context.options.folder) / fs::path(*place.location);
  std::error_code error;
  const std::uint64_t there = fs::file_size(path, error);
  if (error)
    return report.error(Code::external_file, fmt::format("{} should lie in {}, which cannot be read: {}",
                                                         name, path.string(), error.message()));
  const auto end = checked_add(place.offset, size);
  if (!end || *end > there)
    report.error(Code::external_range,
                 fmt::format("{} should lie at bytes {} to {} of {}, which has {}", name, place.offset,
                             end.value_or(0), path.string(), there));
}

}  // namespace

void check_external(const Context& context, const proto::Tensor& tensor, std::string_view name,
                    std::optional<std::uint64_t> size) {
  Report& report = context.report;
  const External place = place_of(report, tensor, name);
  if (!place.location)
    return report.error(Code::external_data,
                        fmt::format("{} is in another file, whose name is missing", name));
  if (!proto::inside_folder(*place.location))
    return report.error(
        Code::external_outside,
        fmt::format("{} should lie in '{}', which is not in the model's folder", name, *place.location),
        "the path of a data file must lead below the folder of the model");
  if (!size) return report.error(Code::tensor_dims, fmt::format("the dimensions of {} are too large", name));
  if (place.length && *place.length != *size)
    report.error(Code::tensor_size,
                 fmt::format("{} takes {} bytes, and {} are set aside for it", name, *size, *place.length));
  if (context.options.folder) check_file(context, place, name, *size);
}

}  // namespace cameo::onnx
