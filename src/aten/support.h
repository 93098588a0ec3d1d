#pragma once
// Shared by the converters: PyTorch's type promotion, numbers as tensors, lists of fixed length.

#include <initializer_list>
#include <string_view>
#include <variant>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

using Operand = std::variant<Tensor, Scalar>;

// The dtype of an operation on these operands, by PyTorch's categories: tensors with dimensions, then tensors
// without, then Python numbers; a later category only counts if its kind (boolean, integer, floating,
// complex) is higher.
DType result_type(std::initializer_list<Operand> operands);
DType result_type(const std::vector<Operand>& operands);
DType promote(DType a, DType b);  // two tensors of one category
DType float_result(
    DType dtype);  // the result of true division and of transcendental functions: integers become f32
DType dtype_of(const Scalar& scalar);  // f32, i64 or boolean: the default dtype of a Python number

// The operand as a value of this dtype: a tensor is cast, a number becomes a 0-d constant or a cast 0-d
// value.
Expr as(Emit& e, const Operand& operand, DType dtype);
Expr scalar_like(const Expr& like, const Scalar& scalar);

// A list of one number stands for `count` equal ones; any other length than 1 or `count` is a ProgramError.
std::vector<std::int64_t> spread(const std::vector<std::int64_t>& list, std::int64_t count,
                                 std::string_view name);

std::vector<std::int64_t> wrap_axes(const ValueRef& tensor,
                                    const std::vector<std::int64_t>& axes);  // sorted, unique
std::vector<std::int64_t> all_axes(const ValueRef& tensor);
std::vector<std::int64_t> last_axes(const ValueRef& tensor, std::int64_t count);

// Python's slice bounds as numbers between 0 and `size`: absent, negative and too large ones resolved.
std::pair<Dim, Dim> slice_range(Emit& e, const Dim& size, std::optional<Dim> start, std::optional<Dim> end);

Expr indices(Emit& e, const Dim& count);  // i64: 0, 1, … up to and without `count`
// The shape that two shapes broadcast to.
Shape broadcast_shape(Emit& e, const Shape& a, const Shape& b);
// The sizes as known numbers; throws Unsupported naming `what` if one is a formula.
std::vector<std::int64_t> known_sizes(const Shape& shape, std::string_view what);

}  // namespace cameo::aten
