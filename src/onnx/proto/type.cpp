#include "onnx/proto/fields.h"

namespace cameo::onnx::proto {
namespace {

// The message of one kind of type: element or key type in field 1 if it is a number, a type in field 1 or 2,
// a shape in field 2.
void read_kind(Reader& r, Type& out, Type::Kind kind, const char* name, pbf_reader& message) {
  if (out.kind != kind) {
    out.element.reset(), out.shape.reset(), out.inner.reset();
    out.domain = out.name = {};
    out.inside.clear();
  }
  out.kind = kind;
  const bool tensor = kind == Type::Kind::tensor || kind == Type::Kind::sparse_tensor;
  const bool map = kind == Type::Kind::map;
  const bool opaque = kind == Type::Kind::opaque;
  r.each(name, bytes(message), out.inside, [&](pbf_reader& in) {
    switch (in.tag_and_type()) {
      case varint(1): return (tensor || map) && (out.element = in.get_int32(), true);
      case chunk(1):
        if (opaque) return out.domain = text(in), true;
        return !tensor && !map && (r.read(out.inner, in), true);
      case chunk(2):
        if (opaque) return out.name = text(in), true;
        if (tensor) return r.read(out.shape, in), true;
        return map && (r.read(out.inner, in), true);
      default: return false;
    }
  });
}

}  // namespace

bool field(Reader& r, Type& out, pbf_reader& in) {
  using Kind = Type::Kind;
  switch (in.tag_and_type()) {
    case chunk(1): return read_kind(r, out, Kind::tensor, "TypeProto.Tensor", in), true;
    case chunk(4): return read_kind(r, out, Kind::sequence, "TypeProto.Sequence", in), true;
    case chunk(5): return read_kind(r, out, Kind::map, "TypeProto.Map", in), true;
    case chunk(6): return out.denotation = text(in), true;
    case chunk(7): return read_kind(r, out, Kind::opaque, "TypeProto.Opaque", in), true;
    case chunk(8): return read_kind(r, out, Kind::sparse_tensor, "TypeProto.SparseTensor", in), true;
    case chunk(9): return read_kind(r, out, Kind::optional, "TypeProto.Optional", in), true;
    default: return false;
  }
}

bool field(Reader& r, Shape& out, pbf_reader& in) {
  if (in.tag_and_type() != chunk(1)) return false;
  r.read(out.dims, in);
  return true;
}

bool field(Reader&, Dimension& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case varint(1): return out.value = in.get_int64(), out.parameter = {}, true;
    case chunk(2): return out.parameter = text(in), out.value.reset(), true;
    case chunk(3): return out.denotation = text(in), true;
    default: return false;
  }
}

bool field(Reader& r, ValueInfo& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.name = text(in), true;
    case chunk(2): return r.read(out.type, in), true;
    case chunk(3): return out.doc_string = text(in), true;
    case chunk(4): return r.read(out.metadata, in), true;
    default: return false;
  }
}

}  // namespace cameo::onnx::proto
