#include <fmt/core.h>

#include "base/checked.h"
#include "onnx/check/context.h"
#include "onnx/check/elements.h"

namespace cameo::onnx {
namespace {

using proto::SparseTensor;

// Indices as positions in the dense tensor, in the order given. Absent where one is out of range.
std::optional<std::vector<std::uint64_t>> positions(const SparseTensor& tensor, std::uint64_t dense) {
  const std::vector<std::int64_t> given = int64_elements(*tensor.indices);
  const std::size_t rank = tensor.indices->dims.size() == 2 ? tensor.dims.size() : 1;
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i + rank <= given.size(); i += rank) {
    std::uint64_t position = 0;
    for (std::size_t j = 0; j < rank; ++j) {
      const auto index = static_cast<std::uint64_t>(given[i + j]);
      const std::uint64_t size =
          rank == 1 && tensor.indices->dims.size() == 1 ? dense : static_cast<std::uint64_t>(tensor.dims[j]);
      if (index >= size) return std::nullopt;
      position = position * size + index;
    }
    all.push_back(position);
  }
  return all;
}

void check_indices(const Context& context, const SparseTensor& tensor, std::string_view name,
                   std::uint64_t values, std::uint64_t dense) {
  Report& report = context.report;
  const auto& dims = tensor.indices->dims;
  const bool linear = dims.size() == 1;
  if (tensor.indices->data_type != proto::kInt64)
    return report.error(Code::sparse_indices, fmt::format("the indices of {} are {}, and must be i64", name,
                                                          element_name(tensor.indices->data_type)));
  if (!linear && (dims.size() != 2 || dims[1] != std::ssize(tensor.dims)))
    return report.error(Code::sparse_indices,
                        fmt::format("the indices of {} must have one column, or one a dimension", name));
  if (static_cast<std::uint64_t>(dims[0]) != values)
    return report.error(Code::sparse_indices,
                        fmt::format("{} has {} values, and indices for {}", name, values, dims[0]));
  if (tensor.indices->external()) return;
  const auto all = positions(tensor, dense);
  if (!all || all->size() != values)
    return report.error(Code::sparse_indices, fmt::format("an index of {} is out of range or missing", name));
  for (std::size_t i = 1; i < all->size(); ++i)
    if ((*all)[i] <= (*all)[i - 1])
      return report.error(Code::sparse_indices,
                          fmt::format("the indices of {} are not in ascending order", name));
}

}  // namespace

void check_sparse(const Context& context, const SparseTensor& tensor, std::string_view name) {
  Report& report = context.report;
  if (!tensor.values) return report.error(Code::sparse_values, fmt::format("{} has no values", name));
  check_tensor(context, *tensor.values, name);
  if (tensor.values->dims.size() != 1 || tensor.values->dims[0] < 0)
    return report.error(Code::sparse_values, fmt::format("the values of {} must have one dimension", name));
  const auto dense = element_count(tensor.dims);
  if (tensor.dims.empty() || dense.value_or(0) == 0)
    return report.error(Code::sparse_dims, fmt::format("the dimensions of {} must be positive", name));
  const auto values = static_cast<std::uint64_t>(tensor.values->dims[0]);
  if (!tensor.indices) {
    if (values != 0) report.error(Code::sparse_indices, fmt::format("{} has no indices", name));
    return;
  }
  check_tensor(context, *tensor.indices, fmt::format("the indices of {}", name));
  check_indices(context, tensor, name, values, *dense);
}

}  // namespace cameo::onnx
