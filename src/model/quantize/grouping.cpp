#include "model/quantize/grouping.h"

#include <numeric>

namespace cameo::model {

std::int64_t Grouping::outer() const {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < axis; ++i) count *= element_at(dims, i);
  return count;
}

std::int64_t Grouping::inner() const {
  std::int64_t count = 1;
  for (std::int64_t i = axis + 1; i < std::ssize(dims); ++i) count *= element_at(dims, i);
  return count;
}

std::vector<std::int64_t> Grouping::scale_shape() const {
  if (block == 0) return {extent()};
  std::vector<std::int64_t> shape = dims;
  element_at(shape, axis) = blocks();
  return shape;
}

std::vector<std::int64_t> Grouping::permutation() const {
  std::vector<std::int64_t> order;
  if (block == 0) order.push_back(axis);
  for (std::int64_t i = 0; i < std::ssize(dims); ++i)
    if (i != axis) order.push_back(i);
  if (block != 0) order.push_back(axis);
  return order;
}

std::int64_t Grouping::length(std::int64_t i) const {
  if (block == 0) return outer() * inner();
  const std::int64_t first = i % blocks() * block;
  return std::min(block, extent() - first);
}

std::int64_t Grouping::place(std::int64_t i) const {
  if (block == 0) return i;
  const std::int64_t line = i / blocks(), within = i % blocks();
  return (line / inner() * blocks() + within) * inner() + line % inner();
}

onnx::DataPtr permuted(const onnx::DataPtr& data, const std::vector<std::int64_t>& permutation) {
  if (permutation == consecutive(0, std::ssize(permutation))) return data;
  auto tensor = std::make_shared<archive::Tensor>();
  std::vector<std::int64_t> shape, strides;
  if (data->tensor()) {
    *tensor = *data->tensor();
  } else {
    struct Kept {
      archive::Storage storage;
      onnx::DataPtr data;
    };
    const auto kept = std::make_shared<Kept>();
    kept->data = data;
    kept->storage = {
        .dtype = data->dtype(), .numel = data->numel(), .bytes = data->bytes(), .has_data = true};
    tensor->dtype = data->dtype();
    tensor->shape = data->shape();
    tensor->strides.resize(tensor->shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = tensor->shape.size(); i-- > 0;) {
      tensor->strides[i] = stride;
      stride *= tensor->shape[i];
    }
    tensor->storage = std::shared_ptr<const archive::Storage>(kept, &kept->storage);
  }
  for (const std::int64_t axis : permutation) {
    shape.push_back(element_at(tensor->shape, axis));
    strides.push_back(element_at(tensor->strides, axis));
  }
  tensor->shape = std::move(shape);
  tensor->strides = std::move(strides);
  return std::make_shared<onnx::Data>(std::move(tensor));
}

}  // namespace cameo::model
