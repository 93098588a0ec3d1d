#pragma once
// Quantised tensors: their parameters, and the way between integers and numbers.

#include "aten/formula.h"

namespace cameo::aten {

inline constexpr const char* kDequantizeHint = "call dequantize() on the tensor first";

// qu8 ↔ u8, qi8 ↔ i8, qi32 ↔ i32. Throws Unsupported for other types.
DType integer_type(DType quantized);
DType quantized_type(DType integer);
std::pair<double, double> range_of(DType integer);  // the least and the largest integer

// The parameters of a whole tensor. Throws ProgramError if the scale is not a positive number or the zero point
// is not in the range of the integers.
QuantizerPtr per_tensor(Emit& e, double scale, std::int64_t zero_point, DType integer);
// Throws ProgramError if a constant scale or zero point of `parameters` is not valid for these integers.
QuantizerPtr checked(Quantizer parameters, DType integer);
bool same_parameters(const QuantizerPtr& a, const QuantizerPtr& b);

// The integers nearest to the numbers. A tensor that has these parameters already is returned as it is.
Tensor quantized(Emit& e, const Expr& numbers, QuantizerPtr parameters, DType integer);
Tensor quantized_like(Emit& e, const Expr& numbers, const Tensor& like);
Tensor requantized(Emit& e, const Tensor& x, QuantizerPtr parameters, DType integer);
// The numbers of a quantised tensor; of another tensor, its value.
Expr dequantized(Emit& e, const Tensor& x);
// The integers of a quantised tensor.
Expr integers_of(Emit& e, const Tensor& x);

}  // namespace cameo::aten
