#include "aten/counted_loop.h"

#include <algorithm>

#include "aten/reduce.h"
#include "aten/support.h"

namespace cameo::aten {

TurnResults counted_loop(Emit& e, std::string_view name, const Dim& turns, std::vector<onnx::Value*> carried,
                         const TurnBody& make_body) {
  onnx::Graph* body = e.new_graph(std::string(name));
  TurnResults outside;
  {
    const Emit::Scope inside(e, body);
    onnx::Value* turn = e.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
    onnx::Value* going = e.graph_input(body, {.dtype = DType::boolean, .shape = Shape{}});
    std::vector<onnx::Value*> starts;
    for (const onnx::Value* value : carried) starts.push_back(e.graph_input(body, value->type));
    const TurnResults results = make_body(turn, starts);
    e.graph_output(body, going);
    for (onnx::Value* value : results.carried) e.graph_output(body, value);
    for (onnx::Value* value : results.gathered) {
      const onnx::Value* each = e.graph_output(body, value);
      Shape stacked{turns};
      std::ranges::copy(*each->type.shape, std::back_inserter(stacked));
      outside.gathered.push_back(e.pending({.dtype = each->dtype(), .shape = std::move(stacked)}));
    }
  }
  std::vector<onnx::Value*> inputs{e.dim(turns), nullptr};
  for (onnx::Value* value : carried) {
    inputs.push_back(value);
    outside.carried.push_back(e.pending(value->type));
  }
  std::vector<onnx::Value*> outputs = outside.carried;
  outputs.insert(outputs.end(), outside.gathered.begin(), outside.gathered.end());
  e.control("Loop", std::move(inputs), {{"body", body}}, std::move(outputs));
  return outside;
}

Dim largest_count(Emit& e, const Tensor& counts, std::int64_t least) {
  onnx::Value* all = e.concat({e.reshape(counts, {numel(e, counts)}), e.ints({least})}, 0);
  return e.number(reduce(e, "ReduceMax", all, {0}, false));
}

}  // namespace cameo::aten
