#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "sym/context.h"

namespace cameo::onnx {

using Dim = sym::Expr;
using Shape = std::vector<Dim>;

inline std::optional<std::int64_t> known(const Dim& dim) { return dim.as_constant(); }

// The type of a value. For a sequence, an optional or an optional sequence, dtype and shape are its
// elements'.
struct Type {
  enum class Kind {
    tensor,
    sequence,
    optional,
    optional_sequence,
    unknown
  };  // unknown: none of these, or not told
  Kind kind = Kind::tensor;
  DType dtype = DType::f32;
  std::optional<Shape> shape;  // absent: not even the rank is known

  bool operator==(const Type&) const = default;
};

// TensorProto.DataType. Quantised types are stored as their integers; what is undefined has no number to come
// from. Throws InternalError for a type ONNX lacks.
int to_onnx(DType dtype);
std::optional<DType> from_onnx(int number);

std::string to_string(const Type& type);  // "f32[batch, 3, 224, 224]"

}  // namespace cameo::onnx
