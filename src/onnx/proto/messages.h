#pragma once
// The messages of an ONNX file as plain structs. Texts, raw data and long lists of numbers are views into the
// bytes that were read, which must outlive them. Nothing is lost: an absent field differs from an empty one,
// and unknown fields are kept as the file has them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "cameo/array.h"
#include "onnx/graph/data.h"

namespace cameo::onnx::proto {

// Absent: data() is null.
using Text = std::string_view;
inline bool present(Text text) { return text.data() != nullptr; }

// Unknown fields, each with its tag, in the order of the file.
using Unknown = std::vector<Bytes>;

// Numbers as the wire has them: pieces of packed elements.
struct Numbers {
  std::vector<Bytes> pieces;
  std::size_t count = 0;
};

// A message within another, which may be absent. A copy copies it too.
template <class M>
class Nested : public std::unique_ptr<M> {
 public:
  using std::unique_ptr<M>::unique_ptr;
  Nested(std::unique_ptr<M> message) : std::unique_ptr<M>(std::move(message)) {}
  Nested(const Nested& other) : std::unique_ptr<M>(other ? std::make_unique<M>(*other) : nullptr) {}
  Nested(Nested&& other) noexcept = default;
  Nested& operator=(const Nested& other) { return *this = Nested(other); }
  Nested& operator=(Nested&& other) noexcept = default;
  ~Nested() = default;
};

struct Entry {
  static constexpr const char* kMessage = "StringStringEntryProto";
  Text key, value;
  Unknown unknown;
};

struct OpsetImport {
  static constexpr const char* kMessage = "OperatorSetIdProto";
  Text domain;
  std::optional<std::int64_t> version;
  Unknown unknown;
};

// TensorProto.DataType: an ElementType as a number of a message.
using DataType = std::int32_t;
inline constexpr DataType kUndefined = static_cast<DataType>(ElementType::undefined),
                          kFloat = static_cast<DataType>(ElementType::f32),
                          kUint8 = static_cast<DataType>(ElementType::u8),
                          kInt8 = static_cast<DataType>(ElementType::i8),
                          kUint16 = static_cast<DataType>(ElementType::u16),
                          kInt16 = static_cast<DataType>(ElementType::i16),
                          kInt32 = static_cast<DataType>(ElementType::i32),
                          kInt64 = static_cast<DataType>(ElementType::i64),
                          kString = static_cast<DataType>(ElementType::string),
                          kBool = static_cast<DataType>(ElementType::boolean),
                          kFloat16 = static_cast<DataType>(ElementType::f16),
                          kDouble = static_cast<DataType>(ElementType::f64),
                          kUint32 = static_cast<DataType>(ElementType::u32),
                          kUint64 = static_cast<DataType>(ElementType::u64),
                          kComplex64 = static_cast<DataType>(ElementType::c64),
                          kComplex128 = static_cast<DataType>(ElementType::c128),
                          kBfloat16 = static_cast<DataType>(ElementType::bf16),
                          kFloat8E4M3FN = static_cast<DataType>(ElementType::f8e4m3fn),
                          kFloat8E4M3FNUZ = static_cast<DataType>(ElementType::f8e4m3fnuz),
                          kFloat8E5M2 = static_cast<DataType>(ElementType::f8e5m2),
                          kFloat8E5M2FNUZ = static_cast<DataType>(ElementType::f8e5m2fnuz),
                          kUint4 = static_cast<DataType>(ElementType::u4),
                          kInt4 = static_cast<DataType>(ElementType::i4),
                          kFloat4E2M1 = static_cast<DataType>(ElementType::f4e2m1),
                          kFloat8E8M0 = static_cast<DataType>(ElementType::f8e8m0),
                          kUint2 = static_cast<DataType>(ElementType::u2),
                          kInt2 = static_cast<DataType>(ElementType::i2);

// TensorProto.DataLocation.
inline constexpr std::int32_t kExternal = 1;

struct Tensor {
  static constexpr const char* kMessage = "TensorProto";
  std::vector<std::int64_t> dims;
  std::optional<std::int32_t> data_type;
  std::vector<Bytes> segment;  // the message as it stands
  Numbers float_data, int32_data, int64_data, double_data, uint64_data;
  std::vector<Text> string_data;
  std::optional<Bytes> raw_data;
  DataPtr elements;  // of a tensor that was made here: its raw data, which is read while it is written
  Text name, doc_string;
  std::vector<Entry> external_data;
  std::optional<std::int32_t> data_location;
  std::vector<Entry> metadata;
  Unknown unknown;

  // The raw data, also of a tensor with `elements`. Elements that must be computed stay in memory from then
  // on: not for large weights.
  std::optional<Bytes> raw() const { return elements ? std::optional(elements->bytes()) : raw_data; }
  bool external() const { return data_location == kExternal; }
};

struct SparseTensor {
  static constexpr const char* kMessage = "SparseTensorProto";
  std::optional<Tensor> values, indices;
  std::vector<std::int64_t> dims;
  Unknown unknown;
};

struct Dimension {
  static constexpr const char* kMessage = "Dimension";
  std::optional<std::int64_t> value;
  Text parameter, denotation;
  Unknown unknown;
};

struct Shape {
  static constexpr const char* kMessage = "TensorShapeProto";
  std::vector<Dimension> dims;
  Unknown unknown;
};

struct Type {
  static constexpr const char* kMessage = "TypeProto";
  enum class Kind : std::uint8_t { none, tensor, sequence, map, opaque, sparse_tensor, optional };
  Kind kind = Kind::none;
  std::optional<std::int32_t> element;  // of a tensor; of a map, the keys'
  std::optional<Shape> shape;           // of a tensor
  Nested<Type> inner;                   // the elements of a sequence or an optional, the values of a map
  Text domain, name;                    // of an opaque type
  Unknown inside;                       // unknown fields of the message of that kind
  Text denotation;
  Unknown unknown;
};

struct ValueInfo {
  static constexpr const char* kMessage = "ValueInfoProto";
  Text name, doc_string;
  std::optional<Type> type;
  std::vector<Entry> metadata;
  Unknown unknown;
};

struct Graph;

struct Attribute {
  static constexpr const char* kMessage = "AttributeProto";
  Text name, ref_attr_name, doc_string;
  std::optional<std::int32_t> type;  // AttributeProto.AttributeType
  std::optional<float> f;
  std::optional<std::int64_t> i;
  Text s;
  Nested<Tensor> t;
  Nested<Graph> g;
  Nested<SparseTensor> sparse_tensor;
  Nested<Type> tp;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::vector<Text> strings;
  std::vector<Tensor> tensors;
  std::vector<Graph> graphs;
  std::vector<SparseTensor> sparse_tensors;
  std::vector<Type> type_protos;
  Unknown unknown;
};

struct Node {
  static constexpr const char* kMessage = "NodeProto";
  std::vector<Text> inputs, outputs;
  Text name, op_type, domain, overload, doc_string;
  std::vector<Attribute> attributes;
  std::vector<Entry> metadata;
  std::vector<Bytes> device_configurations;  // messages as they stand
  Unknown unknown;
};

struct Annotation {
  static constexpr const char* kMessage = "TensorAnnotation";
  Text tensor_name;
  std::vector<Entry> quantization;
  Unknown unknown;
};

struct Graph {
  static constexpr const char* kMessage = "GraphProto";
  Text name, doc_string;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparse_initializers;
  std::vector<ValueInfo> inputs, outputs, value_infos;
  std::vector<Annotation> annotations;
  std::vector<Entry> metadata;
  Unknown unknown;
};

struct Function {
  static constexpr const char* kMessage = "FunctionProto";
  Text name, domain, overload, doc_string;
  std::vector<Text> inputs, outputs, attributes;
  std::vector<Attribute> attribute_defaults;
  std::vector<Node> nodes;
  std::vector<OpsetImport> opset_imports;
  std::vector<ValueInfo> value_infos;
  std::vector<Entry> metadata;
  Unknown unknown;
};

struct TrainingInfo {
  static constexpr const char* kMessage = "TrainingInfoProto";
  std::optional<Graph> initialization, algorithm;
  std::vector<Entry> initialization_bindings, update_bindings;
  Unknown unknown;
};

struct Model {
  static constexpr const char* kMessage = "ModelProto";
  std::optional<std::int64_t> ir_version, model_version;
  Text producer_name, producer_version, domain, doc_string;
  std::vector<OpsetImport> opset_imports;
  std::optional<Graph> graph;
  std::vector<Entry> metadata;
  std::vector<TrainingInfo> training;
  std::vector<Function> functions;
  std::vector<Bytes> configurations;  // messages as they stand
  Unknown unknown;
};

}  // namespace cameo::onnx::proto
