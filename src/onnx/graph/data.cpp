#include "onnx/graph/data.h"

#include <cstring>

#include <fmt/core.h>

#include "base/half.h"
#include "cameo/diagnostic.h"

namespace cameo::onnx {
namespace {

template <class T>
T load(Bytes bytes, std::int64_t index) {
  T element;
  std::memcpy(&element, bytes.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return element;
}

}  // namespace

Data::Data(DType dtype, std::vector<std::int64_t> shape, std::vector<std::byte> bytes)
    : dtype_(dtype), shape_(std::move(shape)), bytes_(std::move(bytes)) {
  if (bytes_.size() != byte_size())
    throw InternalError(
        fmt::format("a constant of {} bytes where its shape needs {}", bytes_.size(), byte_size()));
}

Data::Data(archive::TensorPtr tensor)
    : dtype_(tensor->dtype), shape_(tensor->shape), tensor_(std::move(tensor)) {
  if (tensor_->plain()) stored_ = tensor_->plain_bytes();
}

Data::Data(DType dtype, std::vector<std::int64_t> shape, Recipe recipe)
    : dtype_(dtype), shape_(std::move(shape)), recipe_(std::move(recipe)) {}

std::int64_t Data::numel() const {
  std::int64_t count = 1;
  for (std::int64_t dim : shape_) count *= dim;
  return count;
}

std::size_t Data::byte_size() const {
  return (static_cast<std::size_t>(numel()) * info(dtype_).bits + 7) / 8;
}

Bytes Data::bytes() const {
  if (stored_) return *stored_;
  if (bytes_.empty() && tensor_) bytes_ = tensor_->to_vector();
  if (bytes_.empty() && recipe_)
    recipe_([this](Bytes piece) { bytes_.insert(bytes_.end(), piece.begin(), piece.end()); });
  return bytes_;
}

void Data::copy_to(const Sink& sink) const {
  if (!bytes_.empty())
    sink(bytes_);
  else if (tensor_)
    tensor_->copy_to(sink);
  else if (recipe_)
    recipe_(sink);
}

double Data::real(std::int64_t index) const {
  switch (dtype_) {
    case DType::f16: return load<Half>(bytes(), index);
    case DType::bf16: return load<BFloat16>(bytes(), index);
    case DType::f32: return load<float>(bytes(), index);
    case DType::f64: return load<double>(bytes(), index);
    case DType::u64: return static_cast<double>(load<std::uint64_t>(bytes(), index));
    default: return static_cast<double>(integer(index));
  }
}

std::int64_t Data::integer(std::int64_t index) const {
  switch (dtype_) {
    case DType::boolean: return load<std::uint8_t>(bytes(), index) != 0;
    case DType::u8:
    case DType::qu8: return load<std::uint8_t>(bytes(), index);
    case DType::i8:
    case DType::qi8: return load<std::int8_t>(bytes(), index);
    case DType::u16: return load<std::uint16_t>(bytes(), index);
    case DType::i16: return load<std::int16_t>(bytes(), index);
    case DType::u32: return load<std::uint32_t>(bytes(), index);
    case DType::i32:
    case DType::qi32: return load<std::int32_t>(bytes(), index);
    case DType::u64: return static_cast<std::int64_t>(load<std::uint64_t>(bytes(), index));
    case DType::i64: return load<std::int64_t>(bytes(), index);
    default: throw InternalError(fmt::format("an element of type {} is no integer", name(dtype_)));
  }
}

}  // namespace cameo::onnx
