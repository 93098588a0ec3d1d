#include <algorithm>

#include "onnx/fold/families.h"
#include "onnx/fold/index.h"
#include "onnx/fold/view.h"

namespace cameo::onnx {
namespace {

Folded by_view(const Folding& f) {
  const auto view = layout_view(f.node(), contiguous_view(f.input(0).shape()));
  if (!view) return {};
  return {take_view(f.input(0), view->shape, view->strides, view->offset)};
}

Folded same_elements(const Folding& f) {
  const auto shape = f.shape();
  if (!shape || count(*shape) != f.input(0).numel()) return {};
  std::vector<std::byte> bytes;
  bytes.reserve(f.input(0).byte_size());
  f.input(0).copy_to([&bytes](Bytes piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  return {std::make_shared<Data>(f.input(0).dtype(), *shape, std::move(bytes))};
}

Folded concat(const Folding& f) {
  const auto shape = f.shape();
  if (!shape || shape->empty()) return {};
  const auto axis = axis_index(f.integer_attribute("axis", 0), shape->size());
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= (*shape)[i];
  std::vector<std::byte> bytes;
  for (std::int64_t block = 0; block < outer; ++block) {
    for (std::size_t input = 0; input < f.inputs(); ++input) {
      const Bytes part = f.input(input).bytes();
      const std::size_t length = part.size() / static_cast<std::size_t>(outer);
      const Bytes piece = part.subspan(static_cast<std::size_t>(block) * length, length);
      bytes.insert(bytes.end(), piece.begin(), piece.end());
    }
  }
  return {std::make_shared<Data>(f.input(0).dtype(), *shape, std::move(bytes))};
}

Folded split(const Folding& f) {
  const Ints& shape = f.input(0).shape();
  const auto axis = axis_index(f.integer_attribute("axis", 0), shape.size());
  const Ints strides = contiguous_strides(shape);
  Folded parts;
  std::int64_t start = 0;
  for (std::size_t output = 0; output < f.outputs(); ++output) {
    const auto part = f.shape(output);
    if (!part) return {};
    parts.push_back(take_view(f.input(0), *part, strides, start * strides[axis]));
    start += (*part)[axis];
  }
  return parts;
}

Folded tile(const Folding& f) {
  const auto shape = f.shape();
  if (!shape) return {};
  const Ints& own = f.input(0).shape();
  const Ints strides = contiguous_strides(own);
  Ints at;
  for (std::int64_t position : positions(*shape, contiguous_strides(*shape))) {
    std::int64_t source = 0;
    for (std::size_t i = shape->size(); i-- > 0; position /= (*shape)[i])
      source += position % (*shape)[i] % own[i] * strides[i];
    at.push_back(source);
  }
  return {take(f.input(0), at, *shape)};
}

Folded identity(const Folding& f) { return {f.input_ptr(0)}; }

constexpr FoldRow kLayout[] = {
    {"Identity", identity},
    {"Transpose", by_view},
    {"Expand", by_view},
    {"Slice", by_view},
    {"Reshape", same_elements},
    {"Flatten", same_elements},
    {"Squeeze", same_elements},
    {"Unsqueeze", same_elements},
    {"Concat", concat},
    {"Split", split},
    {"Tile", tile},
};

}  // namespace

std::span<const FoldRow> layout_folds() { return kLayout; }

DataPtr fold_layout(const Node& node) {
  const bool known = std::all_of(node.inputs.begin(), node.inputs.end(),
                                 [](const Value* input) { return input == nullptr || input->constant(); });
  if (!known || node.inputs.empty() || node.inputs[0] == nullptr) return nullptr;
  const archive::TensorPtr& tensor = node.inputs[0]->data->tensor();
  if (!tensor) return nullptr;
  const auto view = layout_view(node, {tensor->shape, tensor->strides, tensor->offset});
  if (!view || count(view->shape) > std::max(tensor->numel(), kMaxFolded)) return nullptr;
  if (std::ranges::any_of(view->strides, [](std::int64_t stride) { return stride < 0; })) return nullptr;
  auto changed = std::make_shared<archive::Tensor>(*tensor);
  changed->shape = view->shape;
  changed->strides = view->strides;
  changed->offset = view->offset;
  return std::make_shared<Data>(archive::TensorPtr(std::move(changed)));
}

}  // namespace cameo::onnx
