#include <fmt/core.h>

#include "onnx/check/context.h"
#include "onnx/check/elements.h"

namespace cameo::onnx {
namespace {

using proto::Tensor;

// The fields that hold elements.
struct Field {
  std::string_view name;
  std::size_t entries;
};

std::vector<Field> filled(const Tensor& tensor) {
  std::vector<Field> fields;
  const auto note = [&fields](std::string_view name, std::size_t entries) {
    if (entries > 0) fields.push_back({name, entries});
  };
  note("float_data", tensor.float_data.count);
  note("int32_data", tensor.int32_data.count);
  note("string_data", tensor.string_data.size());
  note("int64_data", tensor.int64_data.count);
  note("raw_data", tensor.elements   ? tensor.elements->byte_size()
                   : tensor.raw_data ? tensor.raw_data->size()
                                     : 0);
  note("double_data", tensor.double_data.count);
  note("uint64_data", tensor.uint64_data.count);
  return fields;
}

std::uint64_t entries(std::uint64_t elements, const Storage& storage) {
  return elements / 4 * storage.per_four + (elements % 4 * storage.per_four + 3) / 4;
}

void check_elements(Report& report, const Tensor& tensor, std::string_view name, std::uint64_t count,
                    const Storage& storage) {
  const std::vector<Field> fields = filled(tensor);
  if (fields.empty()) {
    if (count != 0)
      report.error(Code::tensor_without_data, fmt::format("{} has {} elements, and no data", name, count));
    return;
  }
  if (fields.size() > 1)
    return report.error(Code::tensor_data,
                        fmt::format("{} has data in {} and in {}", name, fields[0].name, fields[1].name));
  const Field& field = fields[0];
  const bool raw = field.name == "raw_data";
  if (raw ? storage.bits == 0 : field.name != storage.field)
    return report.error(Code::tensor_data,
                        fmt::format("{} is {}, and its data is in {} instead of {}", name,
                                    element_name(tensor.data_type), field.name, storage.field));
  const auto expected = raw ? raw_size(count, storage) : std::optional(entries(count, storage));
  if (expected != field.entries)
    report.error(Code::tensor_size,
                 fmt::format("{} has {} elements of {}, which is {} {} in {}, and there are {}", name, count,
                             element_name(tensor.data_type), expected.value_or(0), raw ? "bytes" : "entries",
                             field.name, field.entries));
}

}  // namespace

void check_tensor(const Context& context, const Tensor& tensor, std::string_view name) {
  Report& report = context.report;
  const Storage* stored = storage(tensor.data_type);
  if (stored == nullptr)
    return report.error(Code::tensor_type, fmt::format("{} has no known element type, but {}", name,
                                                       element_name(tensor.data_type)));
  const auto count = element_count(tensor.dims);
  if (!count)
    return report.error(Code::tensor_dims,
                        fmt::format("the dimensions of {} are negative or too large", name));
  if (tensor.external()) {
    if (!filled(tensor).empty())
      report.error(Code::tensor_data, fmt::format("{} is in another file, and has data here as well", name));
    if (stored->bits == 0)
      return report.error(Code::external_strings,
                          fmt::format("{} has strings, which cannot lie in another file", name));
    return check_external(context, tensor, name, raw_size(*count, *stored));
  }
  check_elements(report, tensor, name, *count, *stored);
}

}  // namespace cameo::onnx
