#pragma once
// Integers of quantised weights, computed while they are written.

#include <memory>

#include "model/quantize/fit.h"

namespace cameo::model {

// The integers in the order of the weight; of 4 bits two in a byte, the first in the low bits.
onnx::DataPtr quantized(const onnx::DataPtr& weight, const Grouping& grouping, const Integers& integers,
                        std::shared_ptr<const Fit> fit);

// The integers of a matrix [K, N], or [N, K] if `transposed`, as MatMulNBits reads them: bytes
// [N, blocks, block / 2]. The blocks lie along K; the last one is filled up with zero points. Needs u4.
onnx::DataPtr quantized_columns(const onnx::DataPtr& weight, const Grouping& grouping,
                                const Integers& integers, std::shared_ptr<const Fit> fit);

// Scales in the type of the weight, and zero points in that of the integers.
onnx::DataPtr scales_data(const std::shared_ptr<const Fit>& fit, DType type, std::vector<std::int64_t> shape);
onnx::DataPtr zero_points_data(const std::shared_ptr<const Fit>& fit, DType type,
                               std::vector<std::int64_t> shape);

// Integers of 4 bits, two in a byte.
std::vector<std::byte> packed(std::span<const std::int16_t> numbers);

}  // namespace cameo::model
