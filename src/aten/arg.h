#pragma once
// The types of arguments and results of converters.

#include <complex>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "onnx/emit/emit.h"

namespace cameo::aten {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using onnx::Dim;
using onnx::Emit;
using onnx::Shape;

struct Expr;  // aten/formula.h

// An operator, or a use of it, that cannot be converted. The evaluator reports it with its place and
// continues.
class Unsupported : public std::exception {
 public:
  explicit Unsupported(std::string reason, std::string hint = {})
      : reason_(std::move(reason)), hint_(std::move(hint)) {}
  const char* what() const noexcept override { return reason_.c_str(); }
  const std::string& hint() const { return hint_; }

 private:
  std::string reason_, hint_;
};

// The program itself would fail here in PyTorch too: shapes that do not fit, an index out of range.
class ProgramError : public std::exception {
 public:
  explicit ProgramError(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

// The parameters of a quantised tensor: the number of an integer q is (q - zero_point) * scale.
struct Quantizer {
  onnx::Value* scale = nullptr;       // f32, 0-d or 1-d along axis
  onnx::Value* zero_point = nullptr;  // of the tensor's integer type; f32 for weights of embeddings
  std::optional<std::int64_t> axis;

  bool operator==(const Quantizer&) const = default;
};
using QuantizerPtr = std::shared_ptr<const Quantizer>;

// A value of the graph with the facts that converters need.
struct ValueRef {
  onnx::Value* value = nullptr;

  operator onnx::Value*() const { return value; }
  onnx::Value* operator->() const { return value; }
  DType dtype() const { return value->type.dtype; }
  const Shape& shape() const;  // throws Unsupported if the rank is unknown
  std::int64_t rank() const { return shape().rank(); }
  Dim dim(std::int64_t axis) const;  // throws ProgramError if there is no such dimension
  // Negative axes count from the end; throws ProgramError if the axis is out of range.
  std::int64_t wrap(std::int64_t axis) const;
};
// A tensor of the program. A tensor of complex numbers is a real value of the graph: a last axis of two holds
// the real and the imaginary part of each number. A quantised tensor is a value of integers (i8, u8, i32) with
// a quantizer. `dtype`, `shape` and the axes are those of the program.
struct Tensor {
  onnx::Value* value = nullptr;
  QuantizerPtr quantizer;
  bool complex = false;

  Tensor() = default;
  Tensor(onnx::Value* v) : value(v) {}
  Tensor(const onnx::Emitted& emitted) : value(emitted.value) {}
  Tensor(const Expr& expr);
  Tensor(onnx::Value* integers, QuantizerPtr parameters)
      : value(integers), quantizer(std::move(parameters)) {}
  static Tensor pairs(onnx::Value* parts);  // complex numbers, by their parts along the last axis

  operator onnx::Value*() const;  // throws Unsupported for complex numbers and quantised tensors
  onnx::Value* operator->() const { return value; }
  DType dtype() const;
  Shape shape() const;  // throws Unsupported if the rank is unknown
  std::int64_t rank() const { return shape().rank(); }
  Dim dim(std::int64_t axis) const;            // throws ProgramError if there is no such dimension
  std::int64_t wrap(std::int64_t axis) const;  // as ValueRef's
};

// A Python number: known, a formula (int), or a runtime value (0-d f64, i64 or boolean).
struct Scalar {
  std::variant<bool, Dim, double, std::complex<double>, onnx::Value*> value;

  bool is_bool() const;
  bool is_int() const;
  bool is_float() const;
  std::optional<double> known() const;            // as a real number, where it is known
  std::optional<std::int64_t> known_int() const;  // of a known int or bool
};

struct None {};
// Devices, layouts, memory formats, generators: of no consequence for ONNX.
struct Ignored {};

// A C++ object with weights (aten/packed.h).
struct Packed;
using PackedPtr = std::shared_ptr<const Packed>;

struct Arg;
using ArgList = std::vector<Arg>;
struct Arg {
  std::variant<None, Scalar, std::string, Tensor, ArgList, Ignored, PackedPtr> value;

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  bool is_none() const { return std::holds_alternative<None>(value); }
};

}  // namespace cameo::aten
