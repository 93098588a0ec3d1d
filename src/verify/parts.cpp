#include "verify/parts.h"

namespace cameo::verify {

bool is_complex(ElementType type) { return type == ElementType::c64 || type == ElementType::c128; }

Array with_parts(const Array& array) {
  if (!is_complex(array.type())) return array;
  std::vector<std::int64_t> shape = array.shape();
  shape.push_back(2);
  const ElementType type = array.type() == ElementType::c64 ? ElementType::f32 : ElementType::f64;
  return Array::owning(type, std::move(shape), {array.bytes().begin(), array.bytes().end()});
}

Array without_parts(const Array& array) {
  std::vector<std::int64_t> shape = array.shape();
  shape.pop_back();
  const ElementType type = array.type() == ElementType::f32 ? ElementType::c64 : ElementType::c128;
  return Array::owning(type, std::move(shape), {array.bytes().begin(), array.bytes().end()});
}

}  // namespace cameo::verify
