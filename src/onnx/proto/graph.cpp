#include "onnx/proto/fields.h"

namespace cameo::onnx::proto {

bool field(Reader& r, Graph& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return r.read(out.nodes, in), true;
    case chunk(2): return out.name = text(in), true;
    case chunk(5): return r.read(out.initializers, in), true;
    case chunk(10): return out.doc_string = text(in), true;
    case chunk(11): return r.read(out.inputs, in), true;
    case chunk(12): return r.read(out.outputs, in), true;
    case chunk(13): return r.read(out.value_infos, in), true;
    case chunk(14): return r.read(out.annotations, in), true;
    case chunk(15): return r.read(out.sparse_initializers, in), true;
    case chunk(16): return r.read(out.metadata, in), true;
    default: return false;
  }
}

bool field(Reader& r, Annotation& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.tensor_name = text(in), true;
    case chunk(2): return r.read(out.quantization, in), true;
    default: return false;
  }
}

bool field(Reader& r, Node& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.inputs.push_back(text(in)), true;
    case chunk(2): return out.outputs.push_back(text(in)), true;
    case chunk(3): return out.name = text(in), true;
    case chunk(4): return out.op_type = text(in), true;
    case chunk(5): return r.read(out.attributes, in), true;
    case chunk(6): return out.doc_string = text(in), true;
    case chunk(7): return out.domain = text(in), true;
    case chunk(8): return out.overload = text(in), true;
    case chunk(9): return r.read(out.metadata, in), true;
    case chunk(10): return out.device_configurations.push_back(bytes(in)), true;
    default: return false;
  }
}

bool field(Reader& r, Attribute& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.name = text(in), true;
    case four_bytes(2): return out.f = in.get_float(), true;
    case varint(3): return out.i = in.get_int64(), true;
    case chunk(4): return out.s = text(in), true;
    case chunk(5): return r.read(out.t, in), true;
    case chunk(6): return r.read(out.g, in), true;
    case four_bytes(7): return out.floats.push_back(in.get_float()), true;
    case chunk(7):
      for (const float number : in.get_packed_float()) out.floats.push_back(number);
      return true;
    case varint(8): return out.ints.push_back(in.get_int64()), true;
    case chunk(8):
      for (const std::int64_t number : in.get_packed_int64()) out.ints.push_back(number);
      return true;
    case chunk(9): return out.strings.push_back(text(in)), true;
    case chunk(10): return r.read(out.tensors, in), true;
    case chunk(11): return r.read(out.graphs, in), true;
    case chunk(13): return out.doc_string = text(in), true;
    case chunk(14): return r.read(out.tp, in), true;
    case chunk(15): return r.read(out.type_protos, in), true;
    case varint(20): return out.type = in.get_int32(), true;
    case chunk(21): return out.ref_attr_name = text(in), true;
    case chunk(22): return r.read(out.sparse_tensor, in), true;
    case chunk(23): return r.read(out.sparse_tensors, in), true;
    default: return false;
  }
}

}  // namespace cameo::onnx::proto
