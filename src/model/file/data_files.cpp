#include "model/file/data_files.h"

#include <filesystem>

#include <fmt/core.h>

#include "base/checked.h"
#include "cameo/diagnostic.h"
#include "onnx/check/elements.h"
#include "onnx/proto/external.h"

namespace cameo::model {
namespace {

using onnx::proto::External;
using onnx::proto::Tensor;

[[noreturn]] void fail(const std::string& model, Code code, std::string message) {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = model,
                         .hint = fmt::format("run cameo check {} to see all that is wrong", model)});
}

std::uint64_t byte_size(const Tensor& tensor, const std::string& model) {
  const onnx::Storage* storage = onnx::storage(tensor.data_type);
  const auto count = onnx::element_count(tensor.dims);
  const auto size = storage && storage->bits != 0 && count ? onnx::raw_size(*count, *storage) : std::nullopt;
  if (!size)
    fail(model, Code::external_data,
         fmt::format("'{}' has no type and dimensions that data in another file can have", tensor.name));
  return *size;
}

}  // namespace

std::string DataFiles::path_of(onnx::proto::Text location) const {
  return (std::filesystem::path(model_).parent_path() / location).string();
}

DataFiles::Part DataFiles::find(const Tensor& tensor) {
  const External place = external_place(tensor);
  if (!place.location || !onnx::proto::inside_folder(*place.location) || !place.broken.empty())
    fail(model_, Code::external_data,
         fmt::format("'{}' is in another file, whose path does not lead below the model's folder",
                     tensor.name));
  const std::uint64_t length = byte_size(tensor, model_);
  if (place.length && *place.length != length)
    fail(model_, Code::external_data,
         fmt::format("'{}' takes {} bytes, and {} are set aside for it in {}", tensor.name, length,
                     *place.length, *place.location));
  if (length == 0) return {};
  auto found = files_.find(*place.location);
  if (found == files_.end())
    found = files_.emplace(*place.location, MappedFile::open(path_of(*place.location))).first;
  const MappedFile& file = *found->second;
  const auto end = checked_add(place.offset, length);
  if (!end || *end > file.bytes().size())
    fail(model_, Code::external_data,
         fmt::format("'{}' should lie at bytes {} to {} of {}, which has {}", tensor.name, place.offset,
                     end.value_or(0), *place.location, file.bytes().size()));
  return {.file = found->second, .offset = place.offset, .length = length};
}

}  // namespace cameo::model
