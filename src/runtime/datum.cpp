#include <fmt/core.h>

#include "cameo/session.h"

namespace cameo {
namespace {

std::string_view kind_of(const Datum& datum) {
  if (datum.is_tensor()) return "tensor";
  if (datum.is_sequence()) return "sequence";
  if (datum.is_map()) return "map";
  return datum.is_map_sequence() ? "sequence of maps" : "absent optional";
}

// The alternative of `value` that is a T, which `datum` holds if it is a `wanted`.
template <class T, class Value>
const T& get(const Value& value, std::string_view wanted, const Datum& datum) {
  if (const T* found = std::get_if<T>(&value)) return *found;
  throw Error(Diagnostic{.code = Code::bad_value,
                         .message = fmt::format("a {} is not a {}", kind_of(datum), wanted)});
}

}  // namespace

const Array& Datum::tensor() const { return get<Array>(value_, "tensor", *this); }
const std::vector<Array>& Datum::sequence() const {
  return get<std::vector<Array>>(value_, "sequence", *this);
}
const MapValue& Datum::map() const { return get<MapValue>(value_, "map", *this); }
const std::vector<MapValue>& Datum::map_sequence() const {
  return get<std::vector<MapValue>>(value_, "sequence of maps", *this);
}

}  // namespace cameo
