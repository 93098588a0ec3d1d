#include "onnx/proto/fields.h"

namespace cameo::onnx::proto {

bool field(Reader& r, Model& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case varint(1): return out.ir_version = in.get_int64(), true;
    case chunk(2): return out.producer_name = text(in), true;
    case chunk(3): return out.producer_version = text(in), true;
    case chunk(4): return out.domain = text(in), true;
    case varint(5): return out.model_version = in.get_int64(), true;
    case chunk(6): return out.doc_string = text(in), true;
    case chunk(7): return r.read(out.graph, in), true;
    case chunk(8): return r.read(out.opset_imports, in), true;
    case chunk(14): return r.read(out.metadata, in), true;
    case chunk(20): return r.read(out.training, in), true;
    case chunk(25): return r.read(out.functions, in), true;
    case chunk(26): return out.configurations.push_back(bytes(in)), true;
    default: return false;
  }
}

bool field(Reader& r, Function& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.name = text(in), true;
    case chunk(4): return out.inputs.push_back(text(in)), true;
    case chunk(5): return out.outputs.push_back(text(in)), true;
    case chunk(6): return out.attributes.push_back(text(in)), true;
    case chunk(7): return r.read(out.nodes, in), true;
    case chunk(8): return out.doc_string = text(in), true;
    case chunk(9): return r.read(out.opset_imports, in), true;
    case chunk(10): return out.domain = text(in), true;
    case chunk(11): return r.read(out.attribute_defaults, in), true;
    case chunk(12): return r.read(out.value_infos, in), true;
    case chunk(13): return out.overload = text(in), true;
    case chunk(14): return r.read(out.metadata, in), true;
    default: return false;
  }
}

bool field(Reader& r, TrainingInfo& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return r.read(out.initialization, in), true;
    case chunk(2): return r.read(out.algorithm, in), true;
    case chunk(3): return r.read(out.initialization_bindings, in), true;
    case chunk(4): return r.read(out.update_bindings, in), true;
    default: return false;
  }
}

bool field(Reader&, OpsetImport& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.domain = text(in), true;
    case varint(2): return out.version = in.get_int64(), true;
    default: return false;
  }
}

bool field(Reader&, Entry& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return out.key = text(in), true;
    case chunk(2): return out.value = text(in), true;
    default: return false;
  }
}

}  // namespace cameo::onnx::proto
