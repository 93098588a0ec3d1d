#include "onnx/infer/families.h"

namespace cameo::onnx {
namespace {

// The shape after `axes` are reduced; all axes if there are none.
std::optional<Shape> reduced_shape(Inference& f, const std::optional<std::vector<std::int64_t>>& axes,
                                   bool keep) {
  const auto& from = f.shape(0);
  if (!from) return !keep && axes && axes->empty() ? std::optional(Shape{}) : std::nullopt;
  std::vector<bool> gone(from->size(), !axes || axes->empty());
  if (axes)
    for (std::int64_t axis : *axes) gone[f.axis(axis, from->size())] = true;
  Shape shape;
  for (std::size_t i = 0; i < from->size(); ++i) {
    if (!gone[i])
      shape.push_back((*from)[i]);
    else if (keep)
      shape.emplace_back(1);
  }
  return shape;
}

void reduce(Inference& f) {
  const bool keep = f.integer("keepdims", 1) != 0;
  const auto axes = f.has(1) ? f.integers(1) : std::vector<std::int64_t>{};
  const auto& from = f.shape(0);
  if (!axes)
    return f.set(f.dtype(0),
                 keep && from ? std::optional(f.fresh_shape(from->size(), "reduced")) : std::nullopt);
  if (axes->empty() && f.integer("noop_with_empty_axes", 0) != 0) return f.set_type(0, f.input(0).type);
  f.set(f.dtype(0), reduced_shape(f, axes, keep));
}

// Formulas of a vector reduced to one number.
template <class F>
void reduce_numbers(Inference& f, std::optional<Dim> total, F combine) {
  reduce(f);
  const Elements own = f.elements(0);
  const bool counts = f.dtype(0) == DType::i64 || f.dtype(0) == DType::i32;
  if (!own || !counts || !f.shape(0) || f.shape(0)->size() > 1) return;
  if (f.integer("noop_with_empty_axes", 0) != 0) return;
  for (const Dim& element : *own) total = total ? combine(*total, element) : element;
  if (total) f.set_elements(std::vector<Dim>{*total});
}

void arg(Inference& f) {
  f.set(DType::i64, reduced_shape(f, std::vector{f.integer("axis", 0)}, f.integer("keepdims", 1) != 0));
}

constexpr InferRow kReduction[] = {
    {"ReduceL1", reduce},
    {"ReduceL2", reduce},
    {"ReduceLogSum", reduce},
    {"ReduceLogSumExp", reduce},
    {"ReduceMax", [](Inference& f) { reduce_numbers(f, {}, [](Dim a, Dim b) { return sym::max(a, b); }); }},
    {"ReduceMean", reduce},
    {"ReduceMin", [](Inference& f) { reduce_numbers(f, {}, [](Dim a, Dim b) { return sym::min(a, b); }); }},
    {"ReduceProd", [](Inference& f) { reduce_numbers(f, 1, [](Dim a, Dim b) { return a * b; }); }},
    {"ReduceSum", [](Inference& f) { reduce_numbers(f, 0, [](Dim a, Dim b) { return a + b; }); }},
    {"ReduceSumSquare", reduce},
    {"ArgMax", arg},
    {"ArgMin", arg},
};

}  // namespace

std::span<const InferRow> reduction_inference() { return kReduction; }

}  // namespace cameo::onnx
