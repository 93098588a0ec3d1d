#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/file/data_files.h"

namespace cameo::model {

// The elements of a tensor as contiguous bytes, from any field or file; strings one after the other, each
// with its length.
class TensorBytes {
 public:
  TensorBytes(const onnx::proto::Tensor& tensor, DataFiles& files);
  Bytes get() const { return made_.empty() ? view_ : Bytes(made_); }

 private:
  Bytes view_;
  std::vector<std::byte> made_;
};

// The distance between the elements of two tensors of the same type and dimensions.
struct Distance {
  std::uint64_t differing = 0, count = 0;
  std::optional<double> absolute, relative;  // the largest; none for types that are no numbers
};
// Nothing if they are equal, bit by bit.
std::optional<Distance> distance(std::optional<std::int32_t> data_type, Bytes a, Bytes b);

}  // namespace cameo::model
