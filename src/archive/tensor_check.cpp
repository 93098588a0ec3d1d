#include "archive/tensor_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "base/checked.h"

namespace cameo::archive {
namespace {

// The number of elements from the storage's start to the tensor's last element, inclusive. Absent: it overflows.
std::optional<std::int64_t> reach(const Tensor& tensor) {
  std::int64_t last = tensor.offset;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    const auto span = checked_mul(tensor.shape[d] - 1, tensor.strides[d]);
    const auto sum = span ? checked_add(last, *span) : std::nullopt;
    if (!sum || *sum == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    last = *sum;
  }
  return last + 1;
}

std::optional<std::string> find_extent_fault(const Tensor& tensor) {
  const std::optional<std::int64_t> elements = reach(tensor);
  if (!elements) return "a tensor's strides reach beyond any memory";
  const Storage& storage = *tensor.storage;
  if (!storage.has_data) return std::nullopt;
  const auto width = static_cast<std::int64_t>(size_of(tensor.dtype));
  const bool packed = tensor.byte_size() != tensor.numel() * width;
  if (packed && (!tensor.contiguous() || tensor.offset != 0)) {
    return "a tensor of packed elements is not contiguous";
  }
  const auto bytes = packed ? tensor.byte_size() : checked_mul(*elements, width);
  if (!bytes || static_cast<std::uint64_t>(*bytes) > storage.bytes.size()) {
    return fmt::format("a tensor reaches beyond its storage '{}' of {} bytes", storage.key,
                       storage.bytes.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_size_fault(const Tensor& tensor) {
  std::int64_t bytes = static_cast<std::int64_t>(size_of(tensor.dtype));
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end()) return std::nullopt;
  for (std::int64_t dim : tensor.shape) {
    const auto product = checked_mul(bytes, dim);
    if (!product) return "a tensor has more elements than any memory can hold";
    bytes = *product;
  }
  return std::nullopt;
}

std::optional<std::string> find_fault(const Tensor& tensor) {
  if (tensor.shape.size() != tensor.strides.size()) return "a tensor's size and stride differ in length";
  if (tensor.offset < 0) return "a tensor's offset is negative";
  if (tensor.negative && !is_floating(tensor.dtype) && !is_complex(tensor.dtype)) {
    return "a tensor of integers is marked as lazily negated";
  }
  if (std::optional<std::string> fault = find_size_fault(tensor)) return fault;
  return tensor.numel() == 0 ? std::nullopt : find_extent_fault(tensor);
}

}  // namespace cameo::archive
