#pragma once
// Constant folding: computes nodes whose inputs are known. Numbers are those that a runtime computes: float32
// in float32, integers wrap, small floats are rounded.

#include <optional>
#include <string_view>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// The arguments of a fold. Inputs are all constant or left out; `types` are the inferred ones of the outputs.
class Folding {
 public:
  Folding(const Node& node, const std::vector<Type>& types) : node_(node), types_(types) {}

  const Node& node() const { return node_; }
  std::size_t inputs() const { return node_.inputs.size(); }
  std::size_t outputs() const { return types_.size(); }
  bool has(std::size_t input) const { return input < inputs() && node_.inputs[input] != nullptr; }
  const Data& input(std::size_t index) const { return *node_.inputs[index]->data; }
  DataPtr input_ptr(std::size_t index) const { return node_.inputs[index]->data; }
  std::vector<std::int64_t> integers(std::size_t input) const;  // its elements, row-major
  const Type& type(std::size_t output = 0) const { return types_[output]; }
  // The inferred shape of an output, where all of it is numbers.
  std::optional<std::vector<std::int64_t>> shape(std::size_t output = 0) const;

  std::int64_t integer_attribute(std::string_view name, std::int64_t otherwise) const;
  float float_attribute(std::string_view name, float otherwise) const;
  std::string_view string_attribute(std::string_view name, std::string_view otherwise) const;

 private:
  const Node& node_;
  const std::vector<Type>& types_;
};

// Empty: cannot be computed here (a type without arithmetic, a division by zero); the node is created then.
using Folded = std::vector<DataPtr>;
using Fold = Folded (*)(const Folding&);

struct FoldRow {
  std::string_view op;
  Fold fold;
};

// Largest result, in elements, that is computed at export time.
inline constexpr std::int64_t kMaxFolded = 65536;
// Most elements of inputs that are read for it.
inline constexpr std::int64_t kMaxRead = std::int64_t{1} << 22;

Folded fold(const Node& node, const std::vector<Type>& types);

// The elements in another floating-point type, computed when they are read. Null if one of the types has no
// arithmetic here, or is not a floating-point type.
DataPtr cast_elements(const DataPtr& data, DType to);

// A layout operator on a tensor of the archive, applied to its strides without reading bytes; null if strides
// cannot express it.
DataPtr fold_layout(const Node& node);

}  // namespace cameo::onnx
