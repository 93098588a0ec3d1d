#pragma once
// An ONNX Loop whose number of turns is known before it starts.

#include <functional>
#include <vector>

#include "aten/arg.h"

namespace cameo::aten {

struct TurnResults {
  std::vector<onnx::Value*>
      carried;  // what the next turn starts from: as many as it was given, of the same types
  std::vector<onnx::Value*> gathered;  // afterwards stacked along a new first dimension, one entry a turn
};
// Makes the body: `turn` is 0-d i64 and counts from 0.
using TurnBody = std::function<TurnResults(onnx::Value* turn, const std::vector<onnx::Value*>& carried)>;

TurnResults counted_loop(Emit& e, std::string_view name, const Dim& turns, std::vector<onnx::Value*> carried,
                         const TurnBody& body);

// As many turns as the largest of these i64 numbers, and no fewer than `least`.
Dim largest_count(Emit& e, const Tensor& counts, std::int64_t least);

}  // namespace cameo::aten
