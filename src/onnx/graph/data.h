#pragma once
// The contents of a constant: bytes that are kept here, a tensor of the archive that stays in its file, or a
// recipe that computes them at each use.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "archive/tensor.h"
#include "base/dtype.h"

namespace cameo::onnx {

class Data;
using DataPtr = std::shared_ptr<const Data>;

using Sink = std::function<void(Bytes)>;
// Passes contiguous little-endian elements to `sink` in pieces of bounded size, with whole elements in each.
// Each call passes the same elements.
using Recipe = std::function<void(const Sink&)>;

class Data {
 public:
  Data(DType dtype, std::vector<std::int64_t> shape,
       std::vector<std::byte> bytes);        // contiguous, little-endian
  explicit Data(archive::TensorPtr tensor);  // strided, with data
  Data(DType dtype, std::vector<std::int64_t> shape, Recipe recipe);

  template <class T>
  static DataPtr of(DType dtype, std::vector<std::int64_t> shape, std::span<const T> elements);

  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t numel() const;
  std::size_t byte_size() const;

  // The archive's tensor behind it, or null: layout changes of weights are made on its strides, not on its
  // bytes.
  const archive::TensorPtr& tensor() const { return tensor_; }
  // Contiguous little-endian elements. The first call keeps a copy, except of a plain tensor: not for large
  // weights.
  Bytes bytes() const;
  // The same in pieces of bounded size, whole elements in each, without keeping a copy.
  void copy_to(const Sink& sink) const;

  double real(std::int64_t index) const;           // element as a number; any real dtype
  std::int64_t integer(std::int64_t index) const;  // integral and boolean dtypes

 private:
  DType dtype_;
  std::vector<std::int64_t> shape_;
  archive::TensorPtr tensor_;
  std::optional<Bytes> stored_;  // of a plain tensor
  Recipe recipe_;
  mutable std::vector<std::byte> bytes_;
};

template <class T>
DataPtr Data::of(DType dtype, std::vector<std::int64_t> shape, std::span<const T> elements) {
  auto raw = std::as_bytes(elements);
  return std::make_shared<Data>(dtype, std::move(shape), std::vector<std::byte>(raw.begin(), raw.end()));
}

}  // namespace cameo::onnx
