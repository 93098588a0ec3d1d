#include "model/import/lift.h"

#include <fmt/core.h>

#include "base/checked.h"
#include "cameo/diagnostic.h"
#include "model/file/tensor_bytes.h"
#include "onnx/emit/emit.h"
#include "onnx/graph/size_name.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::AttributeValue;
using onnx::Type;

void take_names(const proto::Type& type, sym::Context& symbols) {
  if (type.inner) take_names(*type.inner, symbols);
  if (!type.shape) return;
  for (const proto::Dimension& dim : type.shape->dims)
    if (onnx::names_size(dim.parameter) && !symbols.find_symbol(dim.parameter)) symbols.symbol(dim.parameter);
}

void take_names(const std::vector<proto::ValueInfo>& values, sym::Context& symbols) {
  for (const proto::ValueInfo& value : values)
    if (value.type) take_names(*value.type, symbols);
}

void take_names(const std::vector<proto::Node>& nodes, sym::Context& symbols);

void take_names(const proto::Graph& graph, sym::Context& symbols) {
  for (const auto* values : {&graph.inputs, &graph.outputs, &graph.value_infos}) take_names(*values, symbols);
  take_names(graph.nodes, symbols);
}

void take_names(const std::vector<proto::Node>& nodes, sym::Context& symbols) {
  for (const proto::Node& node : nodes)
    proto::each_subgraph(node, [&](const proto::Graph& graph) { take_names(graph, symbols); });
}

DType dtype_of(std::optional<std::int32_t> element) {
  return onnx::from_onnx(element.value_or(0)).value_or(DType::undefined);
}

std::optional<std::uint64_t> byte_size(const std::vector<std::int64_t>& dims, std::size_t element) {
  std::int64_t total = static_cast<std::int64_t>(element);
  for (const std::int64_t dim : dims) {
    const auto next = dim < 0 ? std::nullopt : checked_mul(total, dim);
    if (!next) return std::nullopt;
    total = *next;
  }
  return static_cast<std::uint64_t>(total);
}

// Elements in `bytes`, a part of `file`. They keep the file open.
onnx::DataPtr in_place(DType dtype, std::vector<std::int64_t> dims, Bytes bytes,
                       std::shared_ptr<const MappedFile> file) {
  if (bytes.empty()) return std::make_shared<onnx::Data>(dtype, std::move(dims), std::vector<std::byte>());
  struct Kept {
    archive::Storage storage;
    std::shared_ptr<const MappedFile> file;
  };
  const auto kept = std::make_shared<Kept>();
  kept->file = std::move(file);
  const std::shared_ptr<archive::Storage> storage(kept, &kept->storage);
  storage->dtype = dtype;
  storage->numel = static_cast<std::int64_t>(bytes.size() / size_of(dtype));
  storage->bytes = bytes;
  storage->has_data = true;
  storage->file = kept->file.get();
  storage->file_offset = static_cast<std::uint64_t>(bytes.data() - kept->file->bytes().data());
  auto tensor = std::make_shared<archive::Tensor>();
  tensor->dtype = dtype;
  tensor->strides.resize(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    tensor->strides[i] = stride;
    stride *= dims[i];
  }
  tensor->shape = std::move(dims);
  tensor->storage = storage;
  return std::make_shared<onnx::Data>(std::move(tensor));
}

// Nothing where they cannot be had.
DataFiles::Part external_part(DataFiles& files, const proto::Tensor& tensor) {
  try {
    return files.find(tensor);
  } catch (const Error&) {
    return {};
  }
}

// AttributeProto.AttributeType, also of a file that does not say it.
int kind_of(const proto::Attribute& attribute) {
  if (attribute.type && *attribute.type != 0) return *attribute.type;
  if (attribute.f) return 1;
  if (attribute.i) return 2;
  if (proto::present(attribute.s)) return 3;
  if (attribute.t) return 4;
  if (attribute.g) return 5;
  if (!attribute.floats.empty()) return 6;
  if (!attribute.ints.empty()) return 7;
  if (!attribute.strings.empty()) return 8;
  return attribute.graphs.empty() ? 0 : 10;
}

}  // namespace

Lift::Lift(const Opened& opened, sym::Context& symbols)
    : symbols_(symbols), file_(opened.file), external_(opened.file->name()) {
  take_names(opened.graph(), symbols);
  for (const proto::Function& function : opened.model.functions) take_names(function.nodes, symbols);
}

onnx::DataPtr Lift::data(const proto::Tensor& tensor) {
  if (tensor.elements) return tensor.elements;
  const DType dtype = dtype_of(tensor.data_type);
  const std::size_t element = size_of(dtype);
  const auto size = element == 0 ? std::nullopt : byte_size(tensor.dims, element);
  if (!size || !tensor.segment.empty()) return nullptr;
  if (tensor.external()) {
    const DataFiles::Part part = external_part(external_, tensor);
    if (part.length != *size) return nullptr;
    return in_place(dtype, tensor.dims, part.bytes(), part.file ? part.file : file_);
  }
  if (tensor.raw_data)
    return tensor.raw_data->size() == *size ? in_place(dtype, tensor.dims, *tensor.raw_data, file_) : nullptr;
  const proto::Numbers& plain = dtype == DType::f64 ? tensor.double_data : tensor.float_data;
  if ((dtype == DType::f32 || dtype == DType::f64) && plain.pieces.size() == 1 &&
      plain.pieces[0].size() == *size)
    return in_place(dtype, tensor.dims, plain.pieces[0], file_);
  std::vector<std::byte> bytes = typed_bytes(tensor);
  return bytes.size() == *size ? std::make_shared<onnx::Data>(dtype, tensor.dims, std::move(bytes)) : nullptr;
}

Type Lift::type(const proto::Tensor& tensor) {
  onnx::Shape shape;
  for (const std::int64_t dim : tensor.dims) shape.emplace_back(dim < 0 ? 0 : dim);
  return {Type::Kind::tensor, dtype_of(tensor.data_type), std::move(shape)};
}

Type Lift::type(const proto::SparseTensor& tensor) {
  if (!tensor.values) return unknown_type();
  Type result = type(*tensor.values);
  result.shape = onnx::Shape(tensor.dims.begin(), tensor.dims.end());
  return result;
}

onnx::Dim Lift::size(const proto::Dimension& dim, std::string_view value, std::size_t axis) {
  if (dim.value && *dim.value >= 0) return *dim.value;
  constexpr sym::Range kAnySize{0, std::nullopt};
  if (!onnx::names_size(dim.parameter))
    return symbols_.symbol(fmt::format("{}_dim{}", value, axis), kAnySize, onnx::kInputSize);
  const auto known = symbols_.find_symbol(dim.parameter);
  return known ? *known : symbols_.symbol(dim.parameter, kAnySize, onnx::kInputSize);
}

Type Lift::type(const proto::Type& type, std::string_view value) {
  if (type.kind == proto::Type::Kind::tensor) {
    Type result{Type::Kind::tensor, dtype_of(type.element), std::nullopt};
    if (!type.shape) return result;
    result.shape.emplace();
    for (std::size_t i = 0; i < type.shape->dims.size(); ++i)
      result.shape->push_back(size(type.shape->dims[i], value, i));
    return result;
  }
  const bool sequence = type.kind == proto::Type::Kind::sequence;
  if ((!sequence && type.kind != proto::Type::Kind::optional) || !type.inner) return unknown_type();
  Type inner = this->type(*type.inner, value);
  if (inner.kind == Type::Kind::tensor)
    inner.kind = sequence ? Type::Kind::sequence : Type::Kind::optional;
  else if (inner.kind == Type::Kind::sequence && !sequence)
    inner.kind = Type::Kind::optional_sequence;
  else
    return unknown_type();
  return inner;
}

onnx::Value* Lift::constant(onnx::Model& model, const proto::Tensor& tensor) {
  onnx::Value* value = model.add_value(type(tensor), std::string(tensor.name));
  value->data = data(tensor);
  return value;
}

std::optional<onnx::Attribute> Lift::attribute(const proto::Attribute& attribute, const MakeGraph& graph) {
  if (!attribute.ref_attr_name.empty()) return std::nullopt;
  const auto named = [&](AttributeValue value) {
    return onnx::Attribute{std::string(attribute.name), std::move(value)};
  };
  switch (kind_of(attribute)) {
    case 1: return named(attribute.f.value_or(0));
    case 2: return named(attribute.i.value_or(0));
    case 3: return named(std::string(attribute.s));
    case 4: {
      const onnx::DataPtr elements = attribute.t ? data(*attribute.t) : nullptr;
      return elements ? std::optional(named(elements)) : std::nullopt;
    }
    case 5: return attribute.g ? std::optional(named(graph(*attribute.g))) : std::nullopt;
    case 6: return named(attribute.floats);
    case 7: return named(attribute.ints);
    case 8: return named(std::vector<std::string>(attribute.strings.begin(), attribute.strings.end()));
    case 10: {
      std::vector<onnx::Graph*> graphs;
      for (const proto::Graph& each : attribute.graphs) graphs.push_back(graph(each));
      return named(std::move(graphs));
    }
    default: return std::nullopt;
  }
}

}  // namespace cameo::model
