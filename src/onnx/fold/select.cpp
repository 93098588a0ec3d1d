#include <numeric>

#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

Folded where(const Folding& f) {
  const auto shape = f.shape();
  if (!shape) return {};
  const Ints from_true = broadcast_positions(f.input(1).shape(), *shape);
  const Ints from_false = broadcast_positions(f.input(2).shape(), *shape);
  const Ints from_condition = broadcast_positions(f.input(0).shape(), *shape);
  const std::size_t size = size_of(f.input(1).dtype());
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < from_condition.size(); ++i) {
    const bool chosen = f.input(0).integer(from_condition[i]) != 0;
    const Bytes source = f.input(chosen ? 1 : 2).bytes();
    const Bytes element =
        source.subspan(static_cast<std::size_t>(chosen ? from_true[i] : from_false[i]) * size, size);
    bytes.insert(bytes.end(), element.begin(), element.end());
  }
  return {std::make_shared<Data>(f.input(1).dtype(), *shape, std::move(bytes))};
}

Folded gather(const Folding& f) {
  const auto shape = f.shape();
  const Ints& own = f.input(0).shape();
  if (!shape || own.empty()) return {};
  const auto axis = static_cast<std::size_t>(wrap_axis(f.integer_attribute("axis", 0), own.size()));
  std::int64_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= own[i];
  for (std::size_t i = axis + 1; i < own.size(); ++i) inner *= own[i];
  Ints at;
  for (std::int64_t block = 0; block < outer; ++block) {
    for (std::int64_t index : f.integers(1)) {
      const std::int64_t row = index < 0 ? index + own[axis] : index;
      if (row < 0 || row >= own[axis]) return {};
      for (std::int64_t i = 0; i < inner; ++i) at.push_back((block * own[axis] + row) * inner + i);
    }
  }
  return {take(f.input(0), at, *shape)};
}

Folded gather_elements(const Folding& f) {
  const Ints& own = f.input(0).shape();
  const Ints& shape = f.input(1).shape();
  if (own.empty()) return {};
  const auto axis = static_cast<std::size_t>(wrap_axis(f.integer_attribute("axis", 0), own.size()));
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

std::int64_t tail(const Ints& shape, std::size_t depth) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(depth), shape.end(), std::int64_t{1},
                         std::multiplies{});
}

Folded gather_nd(const Folding& f) {
  const auto shape = f.shape();
  const auto depth = tuple_depth(f);
  if (!shape || !depth || f.integer_attribute("batch_dims", 0) != 0) return {};
  const auto starts = tuple_positions(f.input(0), f.integers(1), *depth);
  if (!starts) return {};
  const std::int64_t length = tail(f.input(0).shape(), *depth);
  Ints at;
  for (std::int64_t start : *starts)
    for (std::int64_t i = 0; i < length; ++i) at.push_back(start + i);
  return {take(f.input(0), at, *shape)};
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
      if (static_cast<Wide<T>>(elements[i]) != 0) found.push_back(static_cast<std::int64_t>(i));
    std::vector<std::int64_t> indices;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      for (std::int64_t position : found) indices.push_back(position / strides[axis] % shape[axis]);
    result.push_back(make<std::int64_t>(
        DType::i64, {static_cast<std::int64_t>(shape.size()), static_cast<std::int64_t>(found.size())},
        indices));
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
