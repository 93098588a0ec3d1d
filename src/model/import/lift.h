#pragma once
// Converts parts of an ONNX file to parts of a graph.

#include <functional>
#include <optional>
#include <string_view>

#include "model/file/data_files.h"
#include "model/file/open.h"
#include "onnx/graph/graph.h"

namespace cameo::model {

// Elements stay in the file, or in the file of external data, and keep that file open.
class Lift {
 public:
  // Reserves the names that the file gives to sizes, so that no fresh symbol gets one of them.
  Lift(const Opened& opened, sym::Context& symbols);

  // Null if Cameo cannot compute with the elements (strings, parts of bytes), or if some are missing.
  onnx::DataPtr data(const onnx::proto::Tensor& tensor);
  onnx::Type type(const onnx::proto::Tensor& tensor);
  onnx::Type type(const onnx::proto::SparseTensor& tensor);  // unknown if it has no values
  // A size without a name becomes a fresh symbol that is called after `value`. Without a declared type, the
  // kind is unknown and the dtype undefined.
  onnx::Type type(const onnx::proto::Type& type, std::string_view value);
  onnx::Dim size(const onnx::proto::Dimension& dim, std::string_view value, std::size_t axis);

  // A value that is the elements of `tensor`, or has at least its type.
  onnx::Value* constant(onnx::Model& model, const onnx::proto::Tensor& tensor);

  using MakeGraph = std::function<onnx::Graph*(const onnx::proto::Graph&)>;
  // Absent for what a graph's attributes cannot hold: types, sparse tensors, lists of tensors, tensors
  // without data, references to an attribute of the function.
  std::optional<onnx::Attribute> attribute(const onnx::proto::Attribute& attribute, const MakeGraph& graph);

  sym::Context& symbols() { return symbols_; }

 private:
  sym::Context& symbols_;
  std::shared_ptr<const MappedFile> file_;
  DataFiles external_;
};

inline constexpr onnx::Type::Kind kUnknownKind = onnx::Type::Kind::unknown;
inline onnx::Type unknown_type() { return {kUnknownKind, DType::undefined, std::nullopt}; }

}  // namespace cameo::model
