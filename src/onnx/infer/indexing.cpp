#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void gather(Inference& f) {
  const auto& data = f.shape(0);
  const auto& indices = f.shape(1);
  if (!data || !indices) return f.set(f.dtype(0), std::nullopt);
  const std::size_t axis = f.axis(f.integer("axis", 0), data->size());
  Shape shape(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices->begin(), indices->end());
  shape.insert(shape.end(), data->begin() + static_cast<std::ptrdiff_t>(axis) + 1, data->end());
  f.set(f.dtype(0), shape);
  const Elements own = f.elements(0);
  const auto at = f.integers(1);
  if (!own || !at || data->size() != 1) return;
  const auto size = std::ssize(*own);
  std::vector<Dim> elements;
  for (std::int64_t index : *at) {
    if (index < -size || index >= size) f.fail("an index is out of range");
    elements.push_back(element_at(*own, index < 0 ? index + size : index));
  }
  f.set_elements(std::move(elements));
}

void gather_elements(Inference& f) {
  const auto& data = f.shape(0);
  const auto& indices = f.shape(1);
  if (data && indices) {
    if (data->size() != indices->size()) f.fail("data and indices have different numbers of axes");
    const std::size_t axis = f.axis(f.integer("axis", 0), data->size());
    for (std::size_t i = 0; i < data->size(); ++i)
      if (i != axis && f.symbols().less((*data)[i], (*indices)[i]) == sym::Truth::yes)
        f.fail("there are more indices than data");
  }
  f.set(f.dtype(0), indices);
}

void gather_nd(Inference& f) {
  const auto& data = f.shape(0);
  const auto& indices = f.shape(1);
  const auto depth = indices && !indices->empty() ? known(indices->back()) : std::nullopt;
  const auto batch = f.integer("batch_dims", 0);
  if (!data || !depth) return f.set(f.dtype(0), std::nullopt);
  const auto rank = std::ssize(*data);
  if (batch < 0 || batch > rank || *depth < 1 || *depth > rank - batch)
    f.fail("the indices are longer than the number of axes");
  Shape shape(indices->begin(), indices->end() - 1);
  shape.insert(shape.end(), data->begin() + batch + *depth, data->end());
  f.set(f.dtype(0), shape);
}

void non_zero(Inference& f) {
  const Dim rank = f.shape(0) ? Dim(f.shape(0)->rank()) : f.fresh("rank");
  f.set(DType::i64, Shape{rank, f.fresh("nonzero")});
}

void compress(Inference& f) {
  if (!f.has_attribute("axis")) return f.set(f.dtype(0), Shape{f.fresh("chosen")});
  if (!f.shape(0)) return f.set(f.dtype(0), std::nullopt);
  Shape shape = *f.shape(0);
  shape[f.axis(f.integer("axis", 0), shape.size())] = f.fresh("chosen");
  f.set(f.dtype(0), shape);
}

void one_hot(Inference& f) {
  const auto& indices = f.shape(0);
  if (!indices) return f.set(f.dtype(2), std::nullopt);
  const Elements depth = f.elements(1);
  Shape shape = *indices;
  const std::size_t axis = f.axis(f.integer("axis", -1), shape.size() + 1);
  const Dim size = depth && depth->size() == 1 ? depth->front() : f.fresh("depth");
  shape.insert_at(axis, size);
  f.set(f.dtype(2), shape);
}

void top_k(Inference& f) {
  std::optional<Shape> shape = f.shape(0);
  if (shape) {
    const Elements k = f.elements(1);
    (*shape)[f.axis(f.integer("axis", -1), shape->size())] = k && k->size() == 1 ? k->front() : f.fresh("k");
  }
  f.set(0, f.dtype(0), shape);
  f.set(1, DType::i64, shape);
}

void unique(Inference& f) {
  const Dim found = f.fresh("unique");
  std::optional<Shape> shape = f.shape(0);
  Dim all = 1;
  if (!f.has_attribute("axis")) {
    if (shape)
      for (const Dim& dim : *shape) all = all * dim;
    else
      all = f.fresh("all");
    shape = Shape{found};
  } else if (shape) {
    Dim& dim = (*shape)[f.axis(f.integer("axis", 0), shape->size())];
    all = dim;
    dim = found;
  } else {
    all = f.fresh("all");
  }
  f.set(0, f.dtype(0), shape);
  f.set(1, DType::i64, Shape{found});
  f.set(2, DType::i64, Shape{all});
  f.set(3, DType::i64, Shape{found});
}

void non_max_suppression(Inference& f) { f.set(DType::i64, Shape{f.fresh("boxes"), 3}); }

constexpr InferRow kIndexing[] = {
    {"Gather", gather},        {"GatherElements", gather_elements},
    {"GatherND", gather_nd},   {"ScatterElements", like_first},
    {"ScatterND", like_first}, {"TensorScatter", like_first},
    {"NonZero", non_zero},     {"Compress", compress},
    {"OneHot", one_hot},       {"TopK", top_k},
    {"Unique", unique},        {"NonMaxSuppression", non_max_suppression},
};

}  // namespace

std::span<const InferRow> indexing_inference() { return kIndexing; }

}  // namespace cameo::onnx
