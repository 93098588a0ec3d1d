#pragma once
#include <concepts>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/dtype.h"
#include "base/index.h"
#include "sym/context.h"

namespace cameo::onnx {

using Dim = sym::Expr;

inline std::optional<std::int64_t> known(const Dim& dim) { return dim.as_constant(); }

// The sizes of a tensor. Axes are signed, as in ONNX; negative axes count from the end.
class Shape : public std::vector<Dim> {
 public:
  using std::vector<Dim>::vector;
  explicit Shape(std::vector<Dim> sizes) : std::vector<Dim>(std::move(sizes)) {}
  static Shape filled(std::int64_t rank, const Dim& size) { return Shape(as_size(rank), size); }

  std::int64_t rank() const { return std::ssize(*this); }
  // The index must lie in [-rank, rank); throws InternalError if it does not.
  template <std::integral Index>
  Dim& operator[](Index axis) {
    return element_at(*this, axis);
  }
  template <std::integral Index>
  const Dim& operator[](Index axis) const {
    return element_at(*this, axis);
  }
  Shape first(std::int64_t count) const { return Shape(begin(), begin() + count); }
  Shape last(std::int64_t count) const { return Shape(end() - count, end()); }
  void insert_at(std::integral auto axis, const Dim& size) {
    insert(begin() + static_cast<difference_type>(axis), size);
  }
  void erase_at(std::integral auto axis) { erase(begin() + static_cast<difference_type>(axis)); }
  Dim product() const;
};

// The type of a value. For a sequence, an optional or an optional sequence, dtype and shape are its
// elements'.
struct Type {
  enum class Kind {
    tensor,
    sequence,
    optional,
    optional_sequence,
    unknown
  };  // unknown: none of these, or not known
  Kind kind = Kind::tensor;
  DType dtype = DType::f32;
  std::optional<Shape> shape;  // absent: not even the rank is known

  bool operator==(const Type&) const = default;
};

// TensorProto.DataType. Quantised types are stored as their integers; `undefined` is 0. Throws InternalError
// for a type that ONNX lacks.
int to_onnx(DType dtype);
std::optional<DType> from_onnx(int number);

std::string to_string(const Type& type);  // "f32[batch, 3, 224, 224]"

}  // namespace cameo::onnx
