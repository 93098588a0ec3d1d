// Elements at computed places.

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

// Indices from the end, as counted from the front.
Value* wrapped(Emit& e, Value* index, const Dim& size) {
  index = e.cast(index, DType::i64);
  Value* behind = e.op("Less", {index, e.dim(0)});
  return e.op("Where", {behind, e.op("Add", {index, e.dim(size)}), index});
}

Value* plus(Emit& e, Value* sum, Value* index, const Dim& stride) {
  Value* part = known(stride) == 1 ? index : e.op("Mul", {index, e.dim(stride)});
  return sum ? e.op("Add", {sum, part}) : part;
}

std::int64_t axis_of(const Translation& t, const Shape& shape) {
  return from_front(integer_attribute(t, "axis", 0), shape.rank());
}

// Gather from all elements in one row.
void gather_elements(Translation& t) {
  Emit& e = t.emit;
  const Shape& from = shape_of(t, 0);
  const Shape& places = shape_of(t, 1);
  const std::int64_t axis = axis_of(t, from);
  Value* index = wrapped(e, t.node.inputs[1], from[axis]);
  Value* at = nullptr;
  for (std::int64_t i = 0; i < from.rank(); ++i) {
    const std::int64_t behind = from.rank() - i - 1;
    Value* coordinate = index;
    if (i != axis) {
      if (known(places[i]) == 1) continue;
      Value* range = e.op("Range", {e.dim(0), e.dim(places[i]), e.dim(1)});
      coordinate = e.unsqueeze(range, consecutive(1, behind));
    }
    at = plus(e, at, coordinate, from.last(behind).product());
  }
  Value* row = e.reshape(t.node.inputs[0], {from.product()});
  t.instead = {e.op("Gather", {row, at}, {{"axis", std::int64_t{0}}}, t.results[0].type)};
}

// The last axis of `indices` counts through the first axes of a tensor: the same through one axis of them
// all.
Value* place(Translation& t, const Shape& of, std::int64_t* depth) {
  Emit& e = t.emit;
  const Shape& shape = shape_of(t, 1);
  const auto count = known(shape.back());
  if (!count || *count == 0) needs(t, "the length of its indices is not known");
  *depth = *count;
  const Shape indexed = of.first(*depth);
  Value* at = nullptr;
  for (std::int64_t i = 0; i < *depth; ++i) {
    Value* index = e.gather(t.node.inputs[1], e.dim(i), -1);
    at = plus(e, at, wrapped(e, index, of[i]), indexed.last(*depth - i - 1).product());
  }
  return at;
}

void gather_nd(Translation& t) {
  Emit& e = t.emit;
  drop_attribute(t, "batch_dims", 0, "its first axes are batches");
  const Shape& from = shape_of(t, 0);
  std::int64_t depth = 0;
  Value* at = place(t, from, &depth);
  Shape rows{from.first(depth).product()};
  rows.insert(rows.end(), from.begin() + depth, from.end());
  t.instead = {e.op("Gather", {e.reshape(t.node.inputs[0], rows), at}, {{"axis", std::int64_t{0}}},
                    t.results[0].type)};
}

// Slice after slice along the axis, so that no two updates of one turn meet.
void accumulate(Translation& t) {
  const std::string reduction = text_attribute(t, "reduction", "none");
  const char* combine = reduction == "add"   ? "Add"
                        : reduction == "mul" ? "Mul"
                        : reduction == "max" ? "Max"
                                             : "Min";
  Emit& e = t.emit;
  Value *indices = t.node.inputs[1], *updates = t.node.inputs[2];
  const Type type = t.results[0].type;
  const std::int64_t axis = axis_of(t, shape_of(t, 0));
  const Dim turns = shape_of(t, 1)[axis];
  Graph* body = e.new_graph("updates");
  {
    const Emit::Scope inside(e, body);
    Value* turn = e.graph_input(body, {.dtype = DType::i64, .shape = Shape{}});
    Value* going = e.graph_input(body, {.dtype = DType::boolean, .shape = Shape{}});
    Value* data = e.graph_input(body, type);
    Value* at = e.reshape(turn, {1});
    Value* index = e.gather(indices, at, axis);
    Value* now = e.op("GatherElements", {data, index}, {{"axis", axis}});
    Value* next = e.op(combine, {now, e.gather(updates, at, axis)});
    e.graph_output(body, going);
    e.graph_output(body, e.op("ScatterElements", {data, index, next}, {{"axis", axis}}, type));
  }
  Value* result = e.pending(type);
  e.control("Loop", {e.dim(turns), nullptr, t.node.inputs[0]}, {{"body", body}}, {result});
  t.instead = {result};
}

void no_extremes(Translation& t) {
  const std::string reduction = text_attribute(t, "reduction", "none");
  if (reduction == "max" || reduction == "min") accumulate(t);
}

void no_reduction(Translation& t) {
  if (text_attribute(t, "reduction", "none") != "none") return accumulate(t);
  remove_attribute(t, "reduction");
}

void scatter(Translation& t) {
  no_reduction(t);
  if (!t.instead.empty()) return;
  const Shape& shape = shape_of(t, 0);
  t.node.op = "Scatter";
  t.node.inputs[1] = wrapped(t.emit, t.node.inputs[1], shape[axis_of(t, shape)]);
}

// Rows of all the elements behind an index.
void scatter_nd(Translation& t) {
  Emit& e = t.emit;
  const Shape& into = shape_of(t, 0);
  std::int64_t depth = 0;
  Value* at = place(t, into, &depth);
  const Dim rows = into.first(depth).product(), width = into.last(into.rank() - depth).product();
  const Shape& indices = shape_of(t, 1);
  const Dim count = indices.first(indices.rank() - 1).product();
  Attributes attributes{{"axis", std::int64_t{0}}};
  if (const AttributeValue* reduction = attribute(t, "reduction"))
    attributes.push_back({"reduction", *reduction});
  Value* where = e.expand(e.reshape(at, {count, 1}), {count, width});
  Value* done =
      e.op("ScatterElements",
           {e.reshape(t.node.inputs[0], {rows, width}), where, e.reshape(t.node.inputs[2], {count, width})},
           std::move(attributes));
  t.instead = {e.reshape(done, into)};
}

void nd_no_extremes(Translation& t) {
  const std::string reduction = text_attribute(t, "reduction", "none");
  if (reduction == "max" || reduction == "min") scatter_nd(t);
}

void nd_no_reduction(Translation& t) {
  if (text_attribute(t, "reduction", "none") != "none") return scatter_nd(t);
  remove_attribute(t, "reduction");
}

void no_batches(Translation& t) { drop_attribute(t, "batch_dims", 0, "its first axes are batches"); }

// The type of its result could not be inferred.
void compress(Translation& t) {
  Emit& e = t.emit;
  Value* x = t.node.inputs[0];
  if (!attribute(t, "axis")) x = e.reshape(x, {shape_of(t, 0).product()});
  Value* places = e.squeeze(e.op("NonZero", {t.node.inputs[1]}), {0});
  const Attributes axis{{"axis", integer_attribute(t, "axis", 0)}};
  t.instead = {e.op("Gather", {x, places}, axis, t.results[0].type)};
}

constexpr Revision kCompress[] = {{11, compress}};
constexpr Revision kElements[] = {{18, no_extremes}, {16, no_reduction}};
constexpr Revision kPlaces[] = {{18, nd_no_extremes}, {16, nd_no_reduction}};
constexpr Revision kGatherNd[] = {{12, no_batches}};

constexpr Revisions kScatter[] = {
    {"ScatterElements", kElements, scatter}, {"ScatterND", kPlaces, scatter_nd}, {"Compress", kCompress},
    {"GatherElements", {}, gather_elements}, {"GatherND", kGatherNd, gather_nd},
};

}  // namespace

std::span<const Revisions> scatter_revisions() { return kScatter; }

}  // namespace cameo::onnx
