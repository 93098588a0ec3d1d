// Ranges, running sums and triangles: what counts positions.

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

void range_small_floats(Translation& t) {
  no_short_floats(t);
  remove_attribute(t, "stash_type");
}

bool is_number(const Value* value, double number) {
  return value->constant() && value->data->real(0) == number;
}

// The number of elements of a range, as 1-d tensor.
Value* range_count(Translation& t) {
  Emit& e = t.emit;
  const Dim count = t.results[0].type.shape->front();
  if (e.visible(count)) return e.dims({count});
  auto wide = [&](std::size_t input) { return e.cast(t.node.inputs[input], DType::f64); };
  Value* steps = e.op("Ceil", {e.op("Div", {e.op("Sub", {wide(1), wide(0)}), wide(2)})});
  Value* whole = e.cast(e.op("Max", {steps, e.scalar(DType::f64, 0.0)}), DType::i64);
  return e.reshape(whole, {1});
}

// The places of as many ones.
void range_by_places(Translation& t) {
  Emit& e = t.emit;
  const Type& type = t.results[0].type;
  constexpr std::int64_t kOne = 1;
  const DataPtr one = Data::of<std::int64_t>(DType::i64, {1}, std::span(&kOne, 1));
  const Type places{.dtype = DType::i64, .shape = type.shape};
  const Type row{.dtype = DType::i64, .shape = Shape{1, type.shape->front()}};
  Value* ones = e.op("ConstantOfShape", {range_count(t)}, {{"value", one}}, places);
  Value* at = e.op("Squeeze", {e.op("NonZero", {ones}, {}, row), e.ints({0})}, {}, places);
  Value* numbers = e.cast(at, type.dtype);
  if (!is_number(t.node.inputs[2], 1)) numbers = e.op("Mul", {numbers, t.node.inputs[2]}, {}, type);
  if (!is_number(t.node.inputs[0], 0)) numbers = e.op("Add", {numbers, t.node.inputs[0]}, {}, type);
  t.instead = {numbers};
}

// A Scan that adds slice after slice.
void running_sum(Translation& t) {
  no_short_floats(t);
  if (!t.instead.empty()) return;
  Emit& e = t.emit;
  Value *x = t.node.inputs[0], *given = t.node.inputs[1];
  if (!x->has_rank() || !given->constant()) needs(t, "the axis is known only when the model runs");
  const std::int64_t axis = given->data->integer(0) + (given->data->integer(0) < 0 ? x->rank() : 0);
  Shape slice = *x->type.shape;
  slice.erase(slice.begin() + axis);
  const Type type{.dtype = x->dtype(), .shape = slice};
  Graph* body = e.new_graph("scan");
  {
    const Emit::Scope inside(e, body);
    Value* sum = e.graph_input(body, type);
    Value* next = e.op("Add", {sum, e.graph_input(body, type)}, {}, type);
    e.graph_output(body, next);
    e.graph_output(body, integer_attribute(t, "exclusive", 0) != 0 ? sum : next);
  }
  const std::vector<std::int64_t> axes{axis}, backwards{integer_attribute(t, "reverse", 0)};
  Value *last = e.pending(type), *sums = e.pending(t.results[0].type);
  e.control("Scan", {e.expand(e.scalar(x->dtype(), 0.0), slice), x},
            {{"body", body},
             {"num_scan_inputs", std::int64_t{1}},
             {"scan_input_axes", axes},
             {"scan_input_directions", backwards},
             {"scan_output_axes", axes},
             {"scan_output_directions", backwards}},
            {last, sums});
  t.instead = {sums};
}

// Zero where the column is too far to one side of the row.
void triangle(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const Shape& shape = *x->type.shape;
  auto counting = [&](const Dim& count) { return e.op("Range", {e.dim(0), e.dim(count), e.dim(1)}); };
  Value* row = e.unsqueeze(counting(shape[shape.size() - 2]), {1});
  if (has_input(t, 1)) row = e.op("Add", {row, t.node.inputs[1]});
  const bool upper = integer_attribute(t, "upper", 1) != 0;
  Value* outside = e.op(upper ? "Less" : "Greater", {counting(shape.back()), row});
  DType inside = x->dtype();
  if (inside == DType::boolean) inside = DType::u8;
  Value* kept = e.op("Where", {outside, e.scalar(inside, std::int64_t{0}), e.cast(x, inside)});
  t.instead = {e.cast(kept, x->dtype())};
}

constexpr Revision kRange[] = {{27, range_small_floats}};
constexpr Revision kCumSum[] = {{14, no_short_floats}};

constexpr Revisions kCounting[] = {
    {"Range", kRange, range_by_places},
    {"CumSum", kCumSum, running_sum},
    {"Trilu", {}, triangle},
};

}  // namespace

std::span<const Revisions> counting_revisions() { return kCounting; }

}  // namespace cameo::onnx
