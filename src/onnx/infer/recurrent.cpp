#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

void recurrent(Inference& f) {
  const auto& x = f.shape(0);
  const auto& r = f.shape(2);
  if (x && x->size() != 3) f.fail("the input must have three axes");
  const bool batch_first = f.integer("layout", 0) != 0;
  const Dim directions = f.text("direction", "forward") == "bidirectional" ? 2 : 1;
  Dim hidden = f.integer("hidden_size", 0);
  if (hidden == Dim(0)) hidden = r && !r->empty() ? r->back() : f.fresh("hidden");
  const Dim steps = x ? (*x)[batch_first ? 1 : 0] : f.fresh("steps");
  const Dim batch = x ? (*x)[batch_first ? 0 : 1] : f.fresh("batch");
  const Shape last = batch_first ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
  f.set(0, f.dtype(0),
        batch_first ? Shape{batch, steps, directions, hidden} : Shape{steps, directions, batch, hidden});
  f.set(1, f.dtype(0), last);
  f.set(2, f.dtype(0), last);
}

constexpr InferRow kRecurrent[] = {{"RNN", recurrent}, {"GRU", recurrent}, {"LSTM", recurrent}};

}  // namespace

std::span<const InferRow> recurrent_inference() { return kRecurrent; }

}  // namespace cameo::onnx
