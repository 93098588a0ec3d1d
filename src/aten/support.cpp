#include "aten/support.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "onnx/infer/infer.h"

namespace cameo::aten {
namespace {

enum class Kind { none, boolean, integer, floating, complex };

Kind kind_of(DType dtype) {
  if (is_complex(dtype)) return Kind::complex;
  if (is_floating(dtype)) return Kind::floating;
  return dtype == DType::boolean ? Kind::boolean : Kind::integer;
}

int float_width(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::bf16:
    case DType::c32: return 1;
    case DType::f32:
    case DType::c64: return 2;
    case DType::f64:
    case DType::c128: return 3;
    default: return 0;
  }
}

// Joins one category's dtype into the result.
struct Category {
  std::optional<DType> dtype;
  void add(DType other) { dtype = dtype ? promote(*dtype, other) : other; }
};

Dim broadcast_dim(Emit& e, const Dim& a, const Dim& b) {
  if (b.as_constant() == 1 || e.sym().equal(a, b) == sym::Truth::yes) return a;
  if (a.as_constant() == 1) return b;
  if (e.sym().equal(a, b) == sym::Truth::no && a.as_constant() && b.as_constant())
    throw ProgramError(fmt::format("sizes {} and {} do not broadcast", to_string(a), to_string(b)));
  if (a.as_constant()) return a;
  if (b.as_constant()) return b;
  return onnx::broadcast_size(a, b);
}

}  // namespace

DType promote(DType a, DType b) {
  if (a == b) return a;
  Kind ka = kind_of(a), kb = kind_of(b);
  if (ka < kb) {
    std::swap(a, b);
    std::swap(ka, kb);
  }
  if (ka == Kind::complex) {
    if (float_width(b) <= float_width(a)) return a;
    return kb == Kind::complex ? b : complex_type(b);
  }
  if (ka == Kind::floating) {
    if (kb != Kind::floating) return a;
    if (float_width(a) == float_width(b)) return DType::f32;  // f16 with bf16
    return float_width(a) > float_width(b) ? a : b;
  }
  if (kb == Kind::boolean) return a;
  const bool unsigned_a = a == DType::u8, unsigned_b = b == DType::u8;
  if (unsigned_a != unsigned_b) {
    DType other = unsigned_a ? b : a;
    return other == DType::i8 ? DType::i16 : other;
  }
  return size_of(a) >= size_of(b) ? a : b;
}

DType dtype_of(const Scalar& scalar) {
  if (std::holds_alternative<std::complex<double>>(scalar.value)) return DType::c64;
  if (scalar.is_bool()) return DType::boolean;
  return scalar.is_int() ? DType::i64 : DType::f32;
}

DType result_type(const std::vector<Operand>& operands) {
  Category dimensioned, zero_dim, numbers;
  for (const Operand& operand : operands) {
    if (const Tensor* tensor = std::get_if<Tensor>(&operand)) {
      const bool scalar = tensor->value->has_rank() && tensor->value->rank() == 0;
      (scalar ? zero_dim : dimensioned).add(tensor->dtype());
    } else {
      numbers.add(dtype_of(std::get<Scalar>(operand)));
    }
  }
  std::optional<DType> result;
  for (const Category* category : {&dimensioned, &zero_dim, &numbers}) {
    if (!category->dtype) continue;
    if (!result)
      result = category->dtype;
    else if (kind_of(*category->dtype) > kind_of(*result)) {
      const bool keeps_width = category == &numbers && kind_of(*category->dtype) == Kind::complex;
      result = keeps_width ? complex_type(*result) : promote(*result, *category->dtype);
    }
  }
  return result.value_or(DType::f32);
}

DType result_type(std::initializer_list<Operand> operands) {
  return result_type(std::vector<Operand>(operands));
}

DType float_result(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::f32; }

Expr as(Emit& e, const Operand& operand, DType dtype) {
  if (const Tensor* tensor = std::get_if<Tensor>(&operand)) return e.cast(*tensor, dtype);
  const Scalar& scalar = std::get<Scalar>(operand);
  if (const auto* value = std::get_if<onnx::Value*>(&scalar.value)) return e.cast(*value, dtype);
  if (const double* d = std::get_if<double>(&scalar.value)) return e.scalar(dtype, *d);
  if (const bool* b = std::get_if<bool>(&scalar.value)) return e.scalar(dtype, std::int64_t{*b});
  if (const Dim* dim = std::get_if<Dim>(&scalar.value)) {
    if (std::optional<std::int64_t> known = dim->as_constant()) return e.scalar(dtype, *known);
    return e.cast(e.dim(*dim), dtype);
  }
  throw Unsupported("complex numbers are not supported");
}

Expr scalar_like(const Expr& like, const Scalar& scalar) { return as(*like.e, scalar, like.dtype()); }

std::vector<std::int64_t> spread(const std::vector<std::int64_t>& list, std::int64_t count,
                                 std::string_view name) {
  if (std::ssize(list) == count) return list;
  if (list.size() == 1) return std::vector<std::int64_t>(as_size(count), list[0]);
  throw ProgramError(fmt::format("'{}' needs 1 or {} numbers, but has {}", name, count, list.size()));
}

std::vector<std::int64_t> wrap_axes(const ValueRef& tensor, const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> out;
  for (std::int64_t axis : axes) out.push_back(tensor.wrap(axis));
  std::sort(out.begin(), out.end());
  if (std::adjacent_find(out.begin(), out.end()) != out.end())
    throw ProgramError("a dimension appears twice in the list of dimensions");
  return out;
}

std::vector<std::int64_t> all_axes(const ValueRef& tensor) { return consecutive(0, tensor.rank()); }
std::vector<std::int64_t> last_axes(const ValueRef& tensor, std::int64_t count) {
  return consecutive(tensor.rank() - count, count);
}

std::pair<Dim, Dim> slice_range(Emit& e, const Dim& size, std::optional<Dim> start, std::optional<Dim> end) {
  auto resolve = [&](const Dim& bound) -> Dim {
    if (bound.as_constant() == std::numeric_limits<std::int64_t>::max()) return size;
    const sym::Truth negative = e.sym().less(bound, 0);
    Dim from_front = sym::min(bound, size), from_end = sym::max(bound + size, 0);
    if (negative == sym::Truth::no) return from_front;
    if (negative == sym::Truth::yes) return from_end;
    throw Unsupported(
        fmt::format("the sign of the slice bound {} is not known at export time", to_string(bound)));
  };
  Dim first = start ? resolve(*start) : Dim(0);
  Dim last = end ? resolve(*end) : size;
  return {first, sym::max(first, last)};
}

Expr indices(Emit& e, const Dim& count) { return e.op("Range", {e.dim(0), e.dim(count), e.dim(1)}); }

std::vector<std::int64_t> known_sizes(const Shape& shape, std::string_view what) {
  std::vector<std::int64_t> out;
  for (const Dim& dim : shape) {
    std::optional<std::int64_t> known = dim.as_constant();
    if (!known)
      throw Unsupported(fmt::format("{} must be known at export time, but it is {}", what, to_string(dim)));
    out.push_back(*known);
  }
  return out;
}

Shape broadcast_shape(Emit& e, const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  const std::size_t added = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i)
    out[added + i] = broadcast_dim(e, longer[added + i], shorter[i]);
  return out;
}

}  // namespace cameo::aten
