#include "onnx/infer/contents.h"

namespace cameo::onnx {

std::optional<Ints> numbers(const std::optional<Shape>& shape) {
  if (!shape) return std::nullopt;
  Ints result;
  for (const Dim& dim : *shape) {
    if (!known(dim)) return std::nullopt;
    result.push_back(*known(dim));
  }
  return result;
}

void rearrange(Inference& f, const Ints& shape, const Ints& positions) {
  const Elements own = f.elements(0);
  if (!own || count(shape) > kMaxElements) return;
  std::vector<Dim> result;
  for (std::int64_t at : positions) result.push_back(element_at(*own, at));
  f.set_elements(std::move(result));
}

}  // namespace cameo::onnx
