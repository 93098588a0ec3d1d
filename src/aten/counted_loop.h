#pragma once
// An ONNX Loop whose trip count is known before it starts.

#include <functional>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

struct TurnResults {
  std::vector<Expr>
      carried;  // the values that the next iteration starts from: as many as it was given, of the same types
  std::vector<Expr> gathered;  // stacked along a new first dimension, one entry per iteration
};
// Makes the body: `turn` is 0-d i64 and counts from 0.
using TurnBody = std::function<TurnResults(Expr turn, const std::vector<Expr>& carried)>;

TurnResults counted_loop(Emit& e, std::string_view name, const Dim& turns, std::vector<Expr> carried,
                         const TurnBody& body);

// The number of iterations is the largest of these i64 numbers, but at least `least`.
Dim largest_count(const Expr& counts, std::int64_t least);

}  // namespace cameo::aten
