#include "runtime/ort_value.h"

#include <algorithm>

#include "runtime/empty_sequence.h"

namespace cameo::runtime {
namespace {

using ort::Owned;

[[noreturn]] void refuse_value(Code code, std::string message) {
  throw Error(Diagnostic{.code = code, .message = std::move(message)});
}

Owned<ort::Value> strings_to_ort(const Library& library, const Array& array) {
  const ort::Api& api = library.api();
  auto value = api.make<ort::Value>(ort::kCreateTensor, library.allocator(), array.shape().data(),
                                    array.shape().size(), to_ort(array.type()));
  for (std::size_t i = 0; i < array.count(); ++i) {
    const std::string& text = array.strings()[i];
    char* buffer = api.get<char*>(ort::kResizeString, value.get(), i, text.size());
    std::ranges::copy(text, buffer);
  }
  return value;
}

Owned<ort::Value> tensor_to_ort(const Library& library, const Array& array) {
  if (array.type() == ElementType::undefined)
    refuse_value(Code::bad_type, "an array of no type cannot be fed");
  if (array.type() == ElementType::string) return strings_to_ort(library, array);
  // ONNX Runtime only reads what it is fed, and wants a place even for no bytes.
  static constexpr std::byte kNowhere{};
  const std::byte* data = array.bytes().empty() ? &kNowhere : array.bytes().data();
  return library.api().make<ort::Value>(ort::kCreateTensorWithData, library.cpu(),
                                        const_cast<std::byte*>(data), array.bytes().size(),
                                        array.shape().data(), array.shape().size(), to_ort(array.type()));
}

Owned<ort::Value> of_parts(const Library& library, ort::Kind kind, std::vector<Owned<ort::Value>> parts) {
  std::vector<const ort::Value*> pointers;
  for (const Owned<ort::Value>& part : parts) pointers.push_back(part.get());
  return library.api().make<ort::Value>(ort::kCreateOfParts, pointers.data(), pointers.size(), kind);
}

Owned<ort::Value> map_to_ort(const Library& library, const MapValue& map) {
  if (map.keys.count() != map.values.count() || map.keys.shape().size() != 1 ||
      map.values.shape().size() != 1)
    refuse_value(Code::bad_value, "a map needs as many values as keys, each along one axis");
  std::vector<Owned<ort::Value>> parts;
  parts.push_back(tensor_to_ort(library, map.keys));
  parts.push_back(tensor_to_ort(library, map.values));
  return of_parts(library, ort::Kind::map, std::move(parts));
}

template <class Element, class Convert>
Owned<ort::Value> sequence_to_ort(const Library& library, const std::vector<Element>& elements,
                                  Convert convert) {
  std::vector<Owned<ort::Value>> parts;
  for (const Element& element : elements) parts.push_back(convert(library, element));
  return of_parts(library, ort::Kind::sequence, std::move(parts));
}

struct TensorType {
  ElementType type;
  std::vector<std::int64_t> shape;
};

TensorType read_type(const ort::Api& api, const ort::TensorInfo* info) {
  TensorType result{from_ort(api.get<int>(ort::kElementType, info)), {}};
  result.shape.resize(api.get<std::size_t>(ort::kRank, info));
  api(ort::kDimensions, info, result.shape.data(), result.shape.size());
  return result;
}

// Of a tensor that exists: the product cannot overflow.
std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return count;
}

Array strings_from_ort(const ort::Api& api, const ort::Value* value, TensorType type) {
  const std::size_t count = count_of(type.shape);
  std::vector<std::string> strings(count);
  if (count > 0) {
    std::string content(api.get<std::size_t>(ort::kStringDataLength, value), '\0');
    std::vector<std::size_t> offsets(count);
    api(ort::kStringContent, value, content.data(), content.size(), offsets.data(), offsets.size());
    offsets.push_back(content.size());
    for (std::size_t i = 0; i < count; ++i)
      strings[i] = content.substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  return Array::strings(std::move(type.shape), std::move(strings));
}

// The library must outlive what it made.
struct Result {
  Result(std::shared_ptr<const void> library, Owned<ort::Value> made)
      : keep(std::move(library)), value(std::move(made)) {}

  std::shared_ptr<const void> keep;
  Owned<ort::Value> value;
};

Array tensor_from_ort(const Library& library, Owned<ort::Value> value,
                      const std::shared_ptr<const void>& keep) {
  const ort::Api& api = library.api();
  TensorType type = read_type(api, api.make<ort::TensorInfo>(ort::kTensorInfo, value.get()).get());
  if (type.type == ElementType::string) return strings_from_ort(api, value.get(), std::move(type));
  const std::size_t bytes = (count_of(type.shape) * bits_per_element(type.type) + 7) / 8;
  const auto* data = static_cast<const std::byte*>(api.get<void*>(ort::kTensorData, value.get()));
  return Array::view(type.type, std::move(type.shape), {data, bytes},
                     std::make_shared<const Result>(keep, std::move(value)));
}

Owned<ort::Value> part(const Library& library, const ort::Value* value, std::size_t index) {
  return library.api().make<ort::Value>(ort::kPart, value, static_cast<int>(index), library.allocator());
}

MapValue map_from_ort(const Library& library, const ort::Value* value,
                      const std::shared_ptr<const void>& keep) {
  return {tensor_from_ort(library, part(library, value, 0), keep),
          tensor_from_ort(library, part(library, value, 1), keep)};
}

Datum sequence_from_ort(const Library& library, const ort::Value* value,
                        const std::shared_ptr<const void>& keep) {
  std::vector<Array> arrays;
  std::vector<MapValue> maps;
  const auto length = library.api().get<std::size_t>(ort::kPartCount, value);
  for (std::size_t i = 0; i < length; ++i) {
    Owned<ort::Value> element = part(library, value, i);
    if (library.api().get<ort::Kind>(ort::kValueKind, element.get()) == ort::Kind::map)
      maps.push_back(map_from_ort(library, element.get(), keep));
    else
      arrays.push_back(tensor_from_ort(library, std::move(element), keep));
  }
  if (!maps.empty()) return maps;
  return arrays;
}

void describe_tensor(const Library& library, const ort::TypeInfo* type, ValueInfo& info) {
  const ort::Api& api = library.api();
  const auto* tensor = api.get<const ort::TensorInfo*>(ort::kAsTensorInfo, type);
  const TensorType known = read_type(api, tensor);
  info.type = known.type;
  const std::size_t rank = known.shape.size();
  if (!library.has_shape(tensor, rank)) return;
  std::vector<const char*> names(rank);
  api(ort::kSymbolicDimensions, tensor, names.data(), rank);
  info.shape.emplace();
  for (std::size_t i = 0; i < rank; ++i) {
    const bool fixed = known.shape[i] >= 0;
    info.shape->push_back(fixed ? Dim(known.shape[i]) : Dim(names[i] ? names[i] : ""));
  }
}

void describe_map(const Library& library, const ort::TypeInfo* type, ValueInfo& info) {
  const ort::Api& api = library.api();
  const auto* map = api.get<const ort::MapInfo*>(ort::kAsMapInfo, type);
  info.key = from_ort(api.get<int>(ort::kMapKeyType, map));
  const auto values = api.make<ort::TypeInfo>(ort::kMapValueType, map);
  if (api.get<ort::Kind>(ort::kTypeKind, values.get()) != ort::Kind::tensor) return;
  const auto* tensor = api.get<const ort::TensorInfo*>(ort::kAsTensorInfo, values.get());
  info.type = from_ort(api.get<int>(ort::kElementType, tensor));
}

void describe_into(const Library& library, const ort::TypeInfo* type, ValueInfo& info) {
  const ort::Api& api = library.api();
  switch (api.get<ort::Kind>(ort::kTypeKind, type)) {
    case ort::Kind::tensor: return describe_tensor(library, type, info);
    case ort::Kind::sequence: {
      info.kind = ValueInfo::Kind::sequence;
      const auto* sequence = api.get<const ort::SequenceInfo*>(ort::kAsSequenceInfo, type);
      const auto element = api.make<ort::TypeInfo>(ort::kSequenceElementType, sequence);
      const auto kind = api.get<ort::Kind>(ort::kTypeKind, element.get());
      if (kind == ort::Kind::tensor) return describe_tensor(library, element.get(), info);
      info.kind = kind == ort::Kind::map ? ValueInfo::Kind::map_sequence : ValueInfo::Kind::other;
      if (kind == ort::Kind::map) describe_map(library, element.get(), info);
      return;
    }
    case ort::Kind::map: info.kind = ValueInfo::Kind::map; return describe_map(library, type, info);
    case ort::Kind::optional: {
      info.optional = true;
      const auto* optional = api.get<const ort::OptionalInfo*>(ort::kAsOptionalInfo, type);
      const auto content = api.make<ort::TypeInfo>(ort::kOptionalContentType, optional);
      return describe_into(library, content.get(), info);
    }
    default: info.kind = ValueInfo::Kind::other;
  }
}

// ONNX Runtime numbers the types that ONNX added last in another order than ONNX.
constexpr int kOrtU2 = 24, kOrtI2 = 25, kOrtF8e8m0 = 26;

}  // namespace

int to_ort(ElementType type) {
  switch (type) {
    case ElementType::u2: return kOrtU2;
    case ElementType::i2: return kOrtI2;
    case ElementType::f8e8m0: return kOrtF8e8m0;
    default: return static_cast<int>(type);
  }
}

ElementType from_ort(int type) {
  switch (type) {
    case kOrtU2: return ElementType::u2;
    case kOrtI2: return ElementType::i2;
    case kOrtF8e8m0: return ElementType::f8e8m0;
    default: return static_cast<ElementType>(type);
  }
}

Owned<ort::Value> to_ort(const Library& library, const Datum& datum, const ValueInfo& info) {
  if (datum.is_tensor()) return tensor_to_ort(library, datum.tensor());
  if (datum.is_map()) return map_to_ort(library, datum.map());
  if (datum.is_map_sequence()) return sequence_to_ort(library, datum.map_sequence(), map_to_ort);
  if (datum.sequence().empty()) return make_empty_sequence(library, info.type);
  return sequence_to_ort(library, datum.sequence(), tensor_to_ort);
}

Datum from_ort(const Library& library, Owned<ort::Value> value, const std::shared_ptr<const void>& keep) {
  const ort::Api& api = library.api();
  if (!value || api.get<int>(ort::kHasValue, value.get()) == 0) return {};
  switch (api.get<ort::Kind>(ort::kValueKind, value.get())) {
    case ort::Kind::tensor: return tensor_from_ort(library, std::move(value), keep);
    case ort::Kind::sequence: return sequence_from_ort(library, value.get(), keep);
    case ort::Kind::map: return map_from_ort(library, value.get(), keep);
    default: refuse_value(Code::bad_value, "an output is neither a tensor, a map nor a sequence");
  }
}

ValueInfo describe(const Library& library, std::string name, const ort::TypeInfo* type) {
  ValueInfo info;
  info.name = std::move(name);
  describe_into(library, type, info);
  return info;
}

}  // namespace cameo::runtime
