#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

Folded where(const Folding& f) {
  const auto shape = f.shape();
  if (!shape || f.input(0).dtype() != DType::boolean || f.input(1).dtype() != f.input(2).dtype()) return {};
  const DataPtr condition = broadcast(f.input_ptr(0), *shape);
  const DataPtr choices[] = {broadcast(f.input_ptr(2), *shape), broadcast(f.input_ptr(1), *shape)};
  const std::size_t size = size_of(f.input(1).dtype());
  std::vector<std::byte> bytes(condition->bytes().size() * size);
  with_copy_of(size, [&](auto copy) {
    const std::byte* from[] = {choices[0]->bytes().data(), choices[1]->bytes().data()};
    std::size_t at = 0;
    for (const std::byte chosen : condition->bytes()) {
      copy(bytes.data() + at, from[chosen != std::byte{0}] + at);
      at += size;
    }
  });
  return {std::make_shared<Data>(f.input(1).dtype(), *shape, std::move(bytes))};
}

// The number of elements of the dimensions from `axis` on.
std::int64_t tail(const Ints& shape, std::size_t axis) {
  return count({shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end()});
}

Folded gather(const Folding& f) {
  const auto shape = f.shape();
  const Ints& own = f.input(0).shape();
  if (!shape || own.empty()) return {};
  const auto axis = axis_index(f.integer_attribute("axis", 0), own.size());
  Ints rows = f.integers(1);
  for (std::int64_t& row : rows) {
    if (row < 0) row += own[axis];
    if (row < 0 || row >= own[axis]) return {};
  }
  const std::int64_t inner = tail(own, axis + 1), block = own[axis] * inner;
  Ints starts;
  for (std::int64_t start = 0; start < f.input(0).numel(); start += block)
    for (std::int64_t row : rows) starts.push_back(start + row * inner);
  return {take(f.input(0), starts, *shape, inner)};
}

Folded gather_elements(const Folding& f) {
  const Ints& own = f.input(0).shape();
  const Ints& shape = f.input(1).shape();
  if (own.empty()) return {};
  const auto axis = axis_index(f.integer_attribute("axis", 0), own.size());
  Ints strides = contiguous_strides(own);
  const std::int64_t step = strides[axis];
  strides[axis] = 0;
  Ints at = positions(shape, strides);
  const Ints indices = f.integers(1);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t row = indices[i] < 0 ? indices[i] + own[axis] : indices[i];
    if (row < 0 || row >= own[axis]) return {};
    at[i] += row * step;
  }
  return {take(f.input(0), at, shape)};
}

// Positions of `data`'s first element for each index tuple; empty if one is out of range.
std::optional<Ints> tuple_positions(const Data& data, const Ints& indices, std::size_t depth) {
  const Ints strides = contiguous_strides(data.shape());
  Ints at;
  for (std::size_t i = 0; i < indices.size(); i += depth) {
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < depth; ++axis) {
      const std::int64_t dim = data.shape()[axis];
      const std::int64_t index = indices[i + axis] < 0 ? indices[i + axis] + dim : indices[i + axis];
      if (index < 0 || index >= dim) return std::nullopt;
      position += index * strides[axis];
    }
    at.push_back(position);
  }
  return at;
}

std::optional<std::size_t> tuple_depth(const Folding& f) {
  const Ints& indices = f.input(1).shape();
  if (indices.empty() || indices.back() < 1) return std::nullopt;
  const auto depth = static_cast<std::size_t>(indices.back());
  if (depth > f.input(0).shape().size()) return std::nullopt;
  return depth;
}

Folded gather_nd(const Folding& f) {
  const auto shape = f.shape();
  const auto depth = tuple_depth(f);
  if (!shape || !depth || f.integer_attribute("batch_dims", 0) != 0) return {};
  const auto starts = tuple_positions(f.input(0), f.integers(1), *depth);
  if (!starts) return {};
  return {take(f.input(0), *starts, *shape, tail(f.input(0).shape(), *depth))};
}

Folded scatter_nd(const Folding& f) {
  const auto depth = tuple_depth(f);
  if (!depth || f.string_attribute("reduction", "none") != "none") return {};
  const auto starts = tuple_positions(f.input(0), f.integers(1), *depth);
  if (!starts) return {};
  const Bytes before = f.input(0).bytes(), updates = f.input(2).bytes();
  std::vector<std::byte> bytes(before.begin(), before.end());
  const std::size_t size = size_of(f.input(0).dtype());
  const auto length = static_cast<std::size_t>(tail(f.input(0).shape(), *depth)) * size;
  if (updates.size() != starts->size() * length) return {};
  for (std::size_t i = 0; i < starts->size(); ++i)
    std::copy_n(updates.data() + i * length, length,
                bytes.data() + static_cast<std::size_t>((*starts)[i]) * size);
  return {std::make_shared<Data>(f.input(0).dtype(), f.input(0).shape(), std::move(bytes))};
}

Folded non_zero(const Folding& f) {
  const Ints& shape = f.input(0).shape();
  if (shape.empty() || f.input(0).numel() > kMaxFolded) return {};
  Folded result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    const std::vector<T> elements = read<T>(f.input(0));
    const Ints strides = contiguous_strides(shape);
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i] != 0) found.push_back(static_cast<std::int64_t>(i));
    std::vector<std::int64_t> indices;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      for (std::int64_t position : found) indices.push_back(position / strides[axis] % shape[axis]);
    result.push_back(make<std::int64_t>(DType::i64, {std::ssize(shape), std::ssize(found)}, indices));
  });
  return result;
}

constexpr FoldRow kSelect[] = {
    {"Where", where},        {"Gather", gather},        {"GatherElements", gather_elements},
    {"GatherND", gather_nd}, {"ScatterND", scatter_nd}, {"NonZero", non_zero},
};

}  // namespace

std::span<const FoldRow> select_folds() { return kSelect; }

}  // namespace cameo::onnx
