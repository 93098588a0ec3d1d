#include "aten/counted_loop.h"

#include <algorithm>

#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {

TurnResults counted_loop(Emit& e, std::string_view name, const Dim& turns, std::vector<Expr> carried,
                         const TurnBody& make_body) {
  onnx::Graph* body = e.new_graph(std::string(name));
  TurnResults outside;
  {
    const Emit::Scope inside(e, body);
    const Expr turn = e.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
    const Expr going = e.graph_input(body, {.dtype = DType::boolean, .shape = Shape{}});
    std::vector<Expr> starts;
    for (const Expr& value : carried) starts.push_back(e.graph_input(body, value->type));
    const TurnResults results = make_body(turn, starts);
    e.graph_output(body, going);
    for (const Expr& value : results.carried) e.graph_output(body, value);
    for (const Expr& value : results.gathered) {
      const Expr each = e.graph_output(body, value);
      Shape stacked{turns};
      std::ranges::copy(*each->type.shape, std::back_inserter(stacked));
      outside.gathered.push_back(e.pending({.dtype = each->dtype(), .shape = std::move(stacked)}));
    }
  }
  std::vector<onnx::Value*> inputs{e.dim(turns), nullptr};
  for (const Expr& value : carried) {
    inputs.push_back(value);
    outside.carried.push_back(e.pending(value->type));
  }
  std::vector<onnx::Value*> outputs(outside.carried.begin(), outside.carried.end());
  outputs.insert(outputs.end(), outside.gathered.begin(), outside.gathered.end());
  e.control("Loop", std::move(inputs), {{"body", body}}, std::move(outputs));
  return outside;
}

Dim largest_count(const Expr& counts, std::int64_t least) {
  Emit& e = *counts.e;
  const Expr all = concat({reshape(counts, {counts.shape().product()}), e.ints({least})}, 0);
  return e.number(reduce_max(all, {0}));
}

}  // namespace cameo::aten
