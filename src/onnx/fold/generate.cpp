#include "onnx/fold/element.h"
#include "onnx/fold/families.h"
#include "onnx/fold/index.h"

namespace cameo::onnx {
namespace {

Folded range(const Folding& f) {
  const auto shape = f.shape();
  if (!shape || shape->size() != 1) return {};
  Folded result;
  with_type(f.input(0).dtype(), [&]<class T>(Tag<T>) {
    if (f.input(0).numel() != 1 || f.input(2).numel() != 1) return;
    using Number = Modular<T>;
    const auto start = static_cast<Number>(read<T>(f.input(0))[0]);
    const auto delta = static_cast<Number>(read<T>(f.input(2))[0]);
    std::vector<T> elements;
    for (std::int64_t i = 0; i < (*shape)[0]; ++i)
      elements.push_back(static_cast<T>(start + static_cast<Number>(i) * delta));
    result.push_back(make<T>(f.input(0).dtype(), *shape, elements));
  });
  return result;
}

Folded constant_of_shape(const Folding& f) {
  const auto shape = f.shape();
  if (!shape) return {};
  const auto* value = f.node().attribute_if<DataPtr>("value");
  const float zero = 0;
  const DataPtr element = value ? *value : Data::of<float>(DType::f32, {1}, std::span(&zero, 1));
  if (element->numel() != 1) return {};
  return {take(*element, Ints(as_size(count(*shape)), 0), *shape)};
}

Folded trilu(const Folding& f) {
  const Ints& shape = f.input(0).shape();
  if (shape.size() < 2 || (f.has(1) && f.input(1).numel() != 1)) return {};
  const std::int64_t k = f.has(1) ? f.integers(1)[0] : 0;
  const bool upper = f.integer_attribute("upper", 1) != 0;
  const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2];
  const Bytes source = f.input(0).bytes();
  const std::size_t size = size_of(f.input(0).dtype());
  std::vector<std::byte> bytes(source.begin(), source.end());
  for (std::int64_t i = 0; i < f.input(0).numel(); ++i) {
    const std::int64_t diagonal = i % columns - i / columns % rows;
    if (upper ? diagonal >= k : diagonal <= k) continue;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * size), size,
                std::byte{0});
  }
  return {std::make_shared<Data>(f.input(0).dtype(), shape, std::move(bytes))};
}

Folded eye_like(const Folding& f) {
  const Ints& shape = f.input(0).shape();
  if (shape.size() != 2) return {};
  const std::int64_t k = f.integer_attribute("k", 0);
  Folded result;
  with_type(f.type().dtype, [&]<class T>(Tag<T>) {
    std::vector<T> elements;
    for (std::int64_t row = 0; row < shape[0]; ++row)
      for (std::int64_t column = 0; column < shape[1]; ++column)
        elements.push_back(static_cast<T>(column - row == k));
    result.push_back(make<T>(f.type().dtype, shape, elements));
  });
  return result;
}

constexpr FoldRow kGenerate[] = {
    {"Range", range}, {"ConstantOfShape", constant_of_shape}, {"Trilu", trilu}, {"EyeLike", eye_like}};

}  // namespace

std::span<const FoldRow> generate_folds() { return kGenerate; }

}  // namespace cameo::onnx
