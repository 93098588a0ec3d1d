// Elements at computed places.

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"

namespace cameo::onnx {
namespace {

Dim product_of(Shape::const_iterator first, Shape::const_iterator last) {
  Dim result = 1;
  for (; first != last; ++first) result = result * *first;
  return result;
}

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

std::size_t axis_of(const Translation& t, const Shape& shape) {
  return static_cast<std::size_t>(from_front(integer_attribute(t, "axis", 0), shape.rank()));
}

// Gather from all elements in one row.
void gather_elements(Translation& t) {
  Emit& e = t.emit;
  const Shape& from = shape_of(t, 0);
  const Shape& places = shape_of(t, 1);
  const std::size_t axis = axis_of(t, from);
  Value* index = wrapped(e, t.node.inputs[1], from[axis]);
  Value* at = nullptr;
  for (std::size_t i = 0; i < from.size(); ++i) {
    Value* coordinate = index;
    if (i != axis) {
      if (known(places[i]) == 1) continue;
      std::vector<std::int64_t> inner;
      for (std::size_t k = i + 1; k < from.size(); ++k) inner.push_back(static_cast<std::int64_t>(k - i));
      coordinate = e.unsqueeze(e.op("Range", {e.dim(0), e.dim(places[i]), e.dim(1)}), inner);
    }
    at = plus(e, at, coordinate, product_of(from.begin() + static_cast<std::ptrdiff_t>(i) + 1, from.end()));
  }
  Value* row = e.reshape(t.node.inputs[0], {product_of(from.begin(), from.end())});
  t.instead = {e.op("Gather", {row, at}, {{"axis", std::int64_t{0}}}, t.results[0].type)};
}

// The last axis of `indices` counts through the first axes of a tensor: the same through one axis of them
// all.
Value* place(Translation& t, const Shape& of, std::size_t* depth) {
  Emit& e = t.emit;
  const Shape& shape = shape_of(t, 1);
  const auto count = known(shape.back());
  if (!count || *count == 0) needs(t, "the length of its indices is not known");
  *depth = static_cast<std::size_t>(*count);
  Value* at = nullptr;
  for (std::size_t i = 0; i < *depth; ++i) {
    Value* index = e.gather(t.node.inputs[1], e.dim(static_cast<std::int64_t>(i)), -1);
    const auto next = of.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    at = plus(e, at, wrapped(e, index, of[i]),
              product_of(next, of.begin() + static_cast<std::ptrdiff_t>(*depth)));
  }
  return at;
}

void gather_nd(Translation& t) {
  Emit& e = t.emit;
  drop_attribute(t, "batch_dims", 0, "its first axes are batches");
  const Shape& from = shape_of(t, 0);
  std::size_t depth = 0;
  Value* at = place(t, from, &depth);
  const auto split = from.begin() + static_cast<std::ptrdiff_t>(depth);
  Shape rows{product_of(from.begin(), split)};
  rows.insert(rows.end(), split, from.end());
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
  const auto axis = static_cast<std::int64_t>(axis_of(t, shape_of(t, 0)));
  const Dim turns = shape_of(t, 1)[static_cast<std::size_t>(axis)];
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
  std::size_t depth = 0;
  Value* at = place(t, into, &depth);
  const auto split = into.begin() + static_cast<std::ptrdiff_t>(depth);
  const Dim rows = product_of(into.begin(), split), width = product_of(split, into.end());
  const Shape& indices = shape_of(t, 1);
  const Dim count = product_of(indices.begin(), indices.end() - 1);
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
  if (!attribute(t, "axis")) x = e.reshape(x, {product_of(shape_of(t, 0).begin(), shape_of(t, 0).end())});
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
