#include "weights.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "elements.h"

namespace cameo::torch {
namespace {

[[noreturn]] void refuse_weight(std::string message) {
  throw Error(Diagnostic{.code = Code::unfit_value, .message = std::move(message)});
}

// The elements alone, in a new storage.
at::Tensor contents(const archive::Tensor& tensor, c10::ScalarType type) {
  at::Tensor copy = at::empty(tensor.shape, type);
  auto* to = static_cast<std::byte*>(copy.data_ptr());
  tensor.copy_to([&](Bytes piece) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  return copy;
}

at::Storage whole(const archive::Storage& storage) {
  at::Tensor bytes = at::empty({static_cast<std::int64_t>(storage.bytes.size())}, at::kByte);
  if (!storage.bytes.empty()) std::memcpy(bytes.data_ptr(), storage.bytes.data(), storage.bytes.size());
  return bytes.storage();
}

}  // namespace

at::Tensor Weights::copy(const archive::Tensor& tensor) {
  const auto type = scalar_type(tensor.dtype);
  if (!type || is_quantized(tensor.dtype) || tensor.layout != archive::Layout::strided)
    refuse_weight(fmt::format("a weight of type {} cannot be passed to libtorch", name(tensor.dtype)));
  if (tensor.numel() == 0) return at::empty_strided(tensor.shape, tensor.strides, *type);
  if (!tensor.storage || !tensor.storage->has_data) refuse_weight("the file has no data for a weight");
  if (tensor.conjugate || tensor.negative || tensor.storage->big_endian) return contents(tensor, *type);
  auto found = storages_.find(tensor.storage.get());
  if (found == storages_.end()) found = storages_.emplace(tensor.storage.get(), whole(*tensor.storage)).first;
  return at::empty({0}, *type).set_(found->second, tensor.offset, tensor.shape, tensor.strides);
}

}  // namespace cameo::torch
