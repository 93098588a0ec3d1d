#pragma once
// An ONNX Loop whose number of turns is known before it starts.

#include <functional>
#include <vector>

#include "aten/formula.h"

namespace cameo::aten {

struct TurnResults {
  std::vector<Expr> carried;   // what the next turn starts from: as many as it was given, of the same types
  std::vector<Expr> gathered;  // afterwards stacked along a new first dimension, one entry a turn
};
// Makes the body: `turn` is 0-d i64 and counts from 0.
using TurnBody = std::function<TurnResults(Expr turn, const std::vector<Expr>& carried)>;

TurnResults counted_loop(Emit& e, std::string_view name, const Dim& turns, std::vector<Expr> carried,
                         const TurnBody& body);

// As many turns as the largest of these i64 numbers, and no fewer than `least`.
Dim largest_count(const Expr& counts, std::int64_t least);

}  // namespace cameo::aten
