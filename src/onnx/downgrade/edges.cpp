// Slice and Pad: what is cut off and what is added.

#include <algorithm>
#include <limits>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

Value* counting(Emit& e, const Dim& first, const Dim& end) {
  return e.op("Range", {e.dim(first), e.dim(end), e.dim(1)});
}

bool all_constant(const Translation& t) {
  return std::all_of(t.node.inputs.begin() + 1, t.node.inputs.end(),
                     [](const Value* input) { return !input || input->constant(); });
}

std::int64_t element(const Translation& t, std::size_t input, std::int64_t index, std::int64_t otherwise) {
  return has_input(t, input) ? t.node.inputs[input]->data->integer(index) : otherwise;
}

Dim number_at(Emit& e, Value* list, std::int64_t index) { return e.number(e.gather(list, e.dim(index), 0)); }

constexpr std::int64_t kBeyond = std::numeric_limits<std::int32_t>::max();  // every size

// A bound of a slice, counted from the front, with what lies beyond either end brought to it.
Dim bound_from_front(Emit& e, const Dim& bound, const Dim& size) {
  if (const auto number = known(bound); number && *number >= kBeyond) return size;
  if (e.sym().less_equal(0, bound) == sym::Truth::yes) return sym::min(bound, size);
  if (e.sym().less(bound, 0) == sym::Truth::yes) return sym::max(bound + size, 0);
  Value* given = e.dim(bound);
  Value* counted = e.op("Where", {e.op("Less", {given, e.dim(0)}), e.dim(bound + size), given});
  return sym::max(sym::min(e.number(counted), size), 0);
}

struct Stretch {
  Dim start, end, step;
};

// One axis of a slice, by the places that it takes.
Value* taken(Translation& t, Value* x, std::int64_t axis, const Stretch& stretch) {
  Emit& e = t.emit;
  const Dim size = (*x->type.shape)[axis];
  const auto& [start, end, step] = stretch;
  const sym::Truth backwards = e.sym().less(step, 0);
  if (backwards == sym::Truth::unknown)
    needs(t, "the direction of its step is known only when the model runs");
  Dim first = bound_from_front(e, start, size), count;
  if (backwards == sym::Truth::no) {
    count = sym::floordiv(bound_from_front(e, end, size) - first + (step - 1), step);
  } else {
    first = sym::min(first, size - 1);
    // An end before the first element cannot be counted from the end.
    const bool open = known(end) && *known(end) < -kBeyond;
    const Dim stop = open ? Dim(-1) : bound_from_front(e, end, size);
    count = sym::floordiv(first - stop + (-step - 1), -step);
  }
  Value* places = counting(e, 0, sym::max(e.simplify(count), 0));
  if (known(step) != 1) places = e.op("Mul", {places, e.dim(step)});
  first = e.simplify(first);
  if (known(first) != 0) places = e.op("Add", {places, e.dim(first)});
  return e.gather(x, places, axis);
}

std::vector<std::int64_t> sliced_axes(const Translation& t) {
  const auto rank = shape_of(t, 0).rank();
  const auto count = known(shape_of(t, 1).front());
  if (!count) needs(t, "the number of sliced axes is not known");
  if (has_input(t, 3) && !t.node.inputs[3]->constant())
    needs(t, "its axes are known only when the model runs");
  std::vector<std::int64_t> axes;
  for (std::int64_t i = 0; i < *count; ++i) axes.push_back(from_front(element(t, 3, i, i), rank));
  return axes;
}

void slice_by_places(Translation& t, const std::vector<std::int64_t>& axes) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  for (std::int64_t i = 0; i < std::ssize(axes); ++i) {
    x = taken(t, x, element_at(axes, i),
              {.start = number_at(e, t.node.inputs[1], i),
               .end = number_at(e, t.node.inputs[2], i),
               .step = has_input(t, 4) ? number_at(e, t.node.inputs[4], i) : Dim(1)});
  }
  t.instead = {x};
}

// At 10, ONNX infers that Slice does not change sizes that are runtime values.
void slice_known_sizes(Translation& t) {
  if (t.opset < 10) return;
  const std::vector<std::int64_t> axes = sliced_axes(t);
  const Shape& shape = shape_of(t, 0);
  const bool all_known = std::all_of(axes.begin(), axes.end(),
                                     [&](std::int64_t axis) { return known(shape[axis]).has_value(); });
  if (!all_known) slice_by_places(t, axes);
}

void slice_attributes(Translation& t) {
  const std::vector<std::int64_t> axes = sliced_axes(t);
  std::vector<std::int64_t> starts, ends;
  bool plain = all_constant(t);
  for (std::int64_t i = 0; plain && i < std::ssize(axes); ++i) {
    plain = element(t, 4, i, 1) == 1;
    starts.push_back(element(t, 1, i, 0));
    ends.push_back(element(t, 2, i, 0));
  }
  if (!plain) return slice_by_places(t, axes);
  t.node.inputs.resize(1);
  t.node.attributes = {{"axes", axes}, {"starts", starts}, {"ends", ends}};
}

// Pads for the given axes become pads for all.
void pad_all_axes(Translation& t) {
  if (!has_input(t, 3)) return;
  const std::int64_t rank = shape_of(t, 0).rank();
  const Value* axes = t.node.inputs[3];
  if (!axes->constant()) needs(t, "the axes are known only when the model runs");
  const std::int64_t count = axes->data->numel();
  std::vector<Value*> pieces(as_size(2 * rank), t.emit.ints({0}));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t axis = from_front(axes->data->integer(i), rank);
    for (std::int64_t end : {0, 1})
      element_at(pieces, axis + end * rank) =
          t.emit.gather(t.node.inputs[1], t.emit.ints({i + end * count}), 0);
  }
  t.node.inputs.resize(3);
  t.node.inputs[1] = t.emit.concat(std::move(pieces), 0);
  if (!t.node.inputs[2]) t.node.inputs.resize(2);
}

// Where the elements of a padded axis come from; the places may be any from -size to twice the size.
Value* copied_from(Emit& e, Value* places, const Dim& size, const std::string& mode) {
  if (mode == "wrap") return e.op("Mod", {places, e.dim(size)});
  Value* last = e.dim(size - 1);
  if (mode == "edge") return e.op("Min", {e.op("Max", {places, e.dim(0)}), last});
  return e.op("Sub", {last, e.op("Abs", {e.op("Sub", {last, e.op("Abs", {places})})})});
}

Value* filled(Emit& e, Value* with, Shape shape, std::int64_t axis, const Dim& size) {
  shape[axis] = size;
  return e.expand(with, shape);
}

// By the pieces of each axis: filled ones and the tensor itself, or copies of its own.
void pad_by_pieces(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  const auto rank = shape_of(t, 0).rank();
  const std::string mode = text_attribute(t, "mode", "constant");
  Value* with = has_input(t, 2) ? t.node.inputs[2] : e.scalar(x->dtype(), std::int64_t{0});
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const Dim front = number_at(e, t.node.inputs[1], axis),
              back = number_at(e, t.node.inputs[1], axis + rank);
    if (known(front) == 0 && known(back) == 0) continue;
    const Dim size = (*x->type.shape)[axis];
    if (mode != "constant") {
      x = e.gather(x, copied_from(e, counting(e, -front, size + back), size, mode), axis);
      continue;
    }
    // A negative pad cuts off.
    x = e.slice(x, axis, e.simplify(sym::max(-front, 0)), e.simplify(size + sym::min(back, 0)));
    x = e.concat({filled(e, with, *x->type.shape, axis, e.simplify(sym::max(front, 0))), x,
                  filled(e, with, *x->type.shape, axis, e.simplify(sym::max(back, 0)))},
                 axis);
  }
  t.instead = {x};
}

void no_wrap(Translation& t) {
  if (text_attribute(t, "mode", "constant") != "wrap") return;
  pad_all_axes(t);
  pad_by_pieces(t);
}

void pad_numbers(Translation& t) {
  if (t.node.inputs[0]->dtype() == DType::boolean) through(t, DType::boolean, DType::i32);
}

void pad_attributes(Translation& t) {
  const DType dtype = t.node.inputs[0]->dtype();
  if (dtype == DType::f16) return through(t, DType::f16, DType::f32);
  const double value = has_input(t, 2) && t.node.inputs[2]->constant() ? t.node.inputs[2]->data->real(0) : 0;
  const bool exact = static_cast<double>(static_cast<float>(value)) == value;
  if (!is_floating(dtype) || !all_constant(t) || !exact) return pad_by_pieces(t);
  t.node.inputs.resize(2);
  input_to_integers(t, 1, "pads");
  set_attribute(t, "value", static_cast<float>(value));
}

constexpr Revision kSlice[] = {{11, slice_known_sizes}, {10, slice_attributes}};
constexpr Revision kPad[] = {{19, no_wrap}, {18, pad_all_axes}, {13, pad_numbers}, {11, pad_attributes}};

constexpr Revisions kEdges[] = {{"Slice", kSlice}, {"Pad", kPad}};

}  // namespace

std::span<const Revisions> edges_revisions() { return kEdges; }

}  // namespace cameo::onnx
