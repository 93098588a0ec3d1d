#pragma once
// The contents of a constant: bytes that are kept here, or a tensor of the archive that stays where it is.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "archive/tensor.h"
#include "base/dtype.h"

namespace cameo::onnx {

class Data;
using DataPtr = std::shared_ptr<const Data>;

class Data {
 public:
  Data(DType dtype, std::vector<std::int64_t> shape,
       std::vector<std::byte> bytes);        // contiguous, little-endian
  explicit Data(archive::TensorPtr tensor);  // strided, with data

  template <class T>
  static DataPtr of(DType dtype, std::vector<std::int64_t> shape, std::span<const T> elements);

  DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  std::int64_t numel() const;
  std::size_t byte_size() const;

  // The archive's tensor behind it, or null: layout changes of weights are made on its strides, not on its
  // bytes.
  const archive::TensorPtr& tensor() const { return tensor_; }
  // Contiguous little-endian elements; the first call on a tensor that is not plain copies it.
  Bytes bytes() const;
  // The same in pieces of bounded size, without keeping a copy.
  void copy_to(const std::function<void(Bytes)>& sink) const;

  double real(std::int64_t index) const;           // element as a number; any real dtype
  std::int64_t integer(std::int64_t index) const;  // integral and boolean dtypes

 private:
  DType dtype_;
  std::vector<std::int64_t> shape_;
  archive::TensorPtr tensor_;
  mutable std::vector<std::byte> bytes_;
};

template <class T>
DataPtr Data::of(DType dtype, std::vector<std::int64_t> shape, std::span<const T> elements) {
  auto raw = std::as_bytes(elements);
  return std::make_shared<Data>(dtype, std::move(shape), std::vector<std::byte>(raw.begin(), raw.end()));
}

}  // namespace cameo::onnx
