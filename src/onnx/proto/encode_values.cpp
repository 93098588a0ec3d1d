#include "onnx/proto/encode_fields.h"

namespace cameo::onnx::proto {

void put(Writer& w, const Tensor& tensor) {
  w.field(1, tensor.dims);
  w.field(2, tensor.data_type);
  w.field(3, tensor.segment);
  w.packed(4, tensor.float_data);
  w.packed(5, tensor.int32_data);
  w.field(6, tensor.string_data);
  w.packed(7, tensor.int64_data);
  w.field(8, tensor.name);
  const auto entries = w.relocated(tensor);
  if (tensor.elements && !entries)
    w.elements(9, *tensor.elements);
  else
    w.field(9, tensor.raw_data);
  w.packed(10, tensor.double_data);
  w.packed(11, tensor.uint64_data);
  w.field(12, tensor.doc_string);
  if (entries)
    for (const auto& [key, value] : *entries) w.message(13, Entry{.key = key, .value = value, .unknown = {}});
  else
    w.field(13, tensor.external_data);
  w.field(14, entries ? std::optional(kExternal) : tensor.data_location);
  w.field(16, tensor.metadata);
  w.unknown(tensor.unknown);
}

void put(Writer& w, const SparseTensor& tensor) {
  w.field(1, tensor.values);
  w.field(2, tensor.indices);
  w.field(3, tensor.dims);
  w.unknown(tensor.unknown);
}

void put(Writer& w, const ValueInfo& value) {
  w.field(1, value.name);
  w.field(2, value.type);
  w.field(3, value.doc_string);
  w.field(4, value.metadata);
  w.unknown(value.unknown);
}

void put(Writer& w, const Shape& shape) {
  w.field(1, shape.dims);
  w.unknown(shape.unknown);
}

void put(Writer& w, const Dimension& dim) {
  w.field(1, dim.value);
  w.field(2, dim.parameter);
  w.field(3, dim.denotation);
  w.unknown(dim.unknown);
}

void put(Writer& w, const Type& type) {
  using Kind = Type::Kind;
  const auto put_kind = [&](Kind kind, std::uint32_t number) {
    if (type.kind != kind) return;
    w.nested(number, [&w, &type, kind] {
      w.field(1, type.element);
      w.field(1, type.domain);
      w.field(2, type.name);
      w.field(kind == Kind::map ? 2 : 1, type.inner);
      w.field(2, type.shape);
      w.unknown(type.inside);
    });
  };
  put_kind(Kind::tensor, 1);
  put_kind(Kind::sequence, 4);
  put_kind(Kind::map, 5);
  w.field(6, type.denotation);
  put_kind(Kind::opaque, 7);
  put_kind(Kind::sparse_tensor, 8);
  put_kind(Kind::optional, 9);
  w.unknown(type.unknown);
}

}  // namespace cameo::onnx::proto
