#pragma once
// The numbers of a tensor's typed fields, taken off the wire.

#include <cstdint>
#include <vector>

#include "onnx/proto/messages.h"

namespace cameo::model {

std::vector<float> floats(const onnx::proto::Numbers& numbers);
std::vector<double> doubles(const onnx::proto::Numbers& numbers);
std::vector<std::int64_t> integers(const onnx::proto::Numbers& numbers);  // int32_data, int64_data
std::vector<std::uint64_t> unsigned_integers(const onnx::proto::Numbers& numbers);

}  // namespace cameo::model
