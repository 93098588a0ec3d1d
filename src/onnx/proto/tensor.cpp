#include "onnx/proto/fields.h"

namespace cameo::onnx::proto {
namespace {

void add_dims(std::vector<std::int64_t>& dims, pbf_reader& in) {
  for (const std::int64_t dim : in.get_packed_int64()) dims.push_back(dim);
}

}  // namespace

bool field(Reader& r, Tensor& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case varint(1): return out.dims.push_back(in.get_int64()), true;
    case chunk(1): return add_dims(out.dims, in), true;
    case varint(2): return out.data_type = in.get_int32(), true;
    case chunk(3): return out.segment.push_back(bytes(in)), true;
    case four_bytes(4): return add_one(out.float_data, in), true;
    case chunk(4): return add_packed(out.float_data, in, Width::four), true;
    case varint(5): return add_one(out.int32_data, in), true;
    case chunk(5): return add_packed(out.int32_data, in, Width::varint), true;
    case chunk(6): return out.string_data.push_back(text(in)), true;
    case varint(7): return add_one(out.int64_data, in), true;
    case chunk(7): return add_packed(out.int64_data, in, Width::varint), true;
    case chunk(8): return out.name = text(in), true;
    case chunk(9): return out.raw_data = bytes(in), true;
    case eight_bytes(10): return add_one(out.double_data, in), true;
    case chunk(10): return add_packed(out.double_data, in, Width::eight), true;
    case varint(11): return add_one(out.uint64_data, in), true;
    case chunk(11): return add_packed(out.uint64_data, in, Width::varint), true;
    case chunk(12): return out.doc_string = text(in), true;
    case chunk(13): return r.read(out.external_data, in), true;
    case varint(14): return out.data_location = in.get_int32(), true;
    case chunk(16): return r.read(out.metadata, in), true;
    default: return false;
  }
}

bool field(Reader& r, SparseTensor& out, pbf_reader& in) {
  switch (in.tag_and_type()) {
    case chunk(1): return r.read(out.values, in), true;
    case chunk(2): return r.read(out.indices, in), true;
    case varint(3): return out.dims.push_back(in.get_int64()), true;
    case chunk(3): return add_dims(out.dims, in), true;
    default: return false;
  }
}

}  // namespace cameo::onnx::proto
