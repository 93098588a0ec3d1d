#pragma once
// Quantised constants. Their elements are computed while they are written.

#include <cstdint>
#include <span>
#include <vector>

#include "onnx/graph/graph.h"

namespace cameo::onnx {

// Numbers become integers: round(x / scale) + zero point, half to even, limited to [least, most]. There is one
// scale and one zero point, or one of each per index of `axis`.
struct Quantization {
  DType dtype = DType::i8;  // of the integers: i4, u4, i8, u8, i16, u16 or i32
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;  // as many as scales
  std::int64_t axis = 0;                  // counted from the front
  std::int64_t least = -128, most = 127;
  bool by_inverse = false;  // x * (1 / scale), as PyTorch computes it; ONNX divides
};

// The integers for `numbers`, which are f16, bf16 or f32.
DataPtr quantized(const DataPtr& numbers, Quantization quantization);
// Whether the limits of `quantization` change an integer that its type can hold. Reads all numbers.
bool limits_matter(const DataPtr& numbers, Quantization quantization);

// A constant of these integers; two integers of four bits share a byte.
DataPtr integers_of(DType dtype, std::vector<std::int64_t> shape, std::span<const std::int64_t> integers);
// The integers of a constant; i4 and u4 too.
std::vector<std::int64_t> all_integers(const Data& data);
// The least and the greatest integer of an integer type.
struct Limits {
  std::int64_t least, most;
};
Limits limits_of(DType dtype);

// The elements of a value that Add, Sub, Mul and Div compute from constants: of a weight times a scale per
// channel, say. Null if other nodes compute it.
DataPtr computed_from_constants(const Value* value);

}  // namespace cameo::onnx
