#include <algorithm>

#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"
#include "onnx/emit/assume.h"

namespace cameo::onnx {
namespace {

// Sizes that are runtime values: slices.
void split_to_attribute(Translation& t) {
  if (!has_input(t, 1) || t.node.inputs[1]->constant()) return input_to_integers(t, 1, "split");
  const auto rank = shape_of(t, 0).rank();
  const std::int64_t axis = from_front(integer_attribute(t, "axis", 0), rank);
  Emit& e = t.emit;
  Dim start = 0;
  for (std::int64_t i = 0; i < std::ssize(t.results); ++i) {
    Value* size = e.gather(t.node.inputs[1], e.dim(i), 0);
    const Dim end = start + e.number(size);
    t.instead.push_back(e.slice(t.node.inputs[0], axis, start, end));
    start = end;
  }
}

// Without sizes the parts had to be equal.
void split_sizes(Translation& t) {
  remove_attribute(t, "num_outputs");
  if (has_input(t, 1)) return;
  const Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const std::int64_t axis = integer_attribute(t, "axis", 0);
  const auto parts = std::ssize(t.results);
  if (t.emit.sym().divisible((*x->type.shape)[axis], parts) == sym::Truth::yes) return;
  Shape sizes;
  for (const Inferred& result : t.results) sizes.push_back((*result.type.shape)[axis]);
  t.node.inputs.resize(2);
  t.node.inputs[1] = t.emit.dims(sizes);
}

// A size of 0 was that of the input: what is empty is made anew.
void no_allow_zero(Translation& t) {
  const std::optional<Shape>& shape = t.results[0].type.shape;
  const auto is_zero = [](const Dim& size) { return known(size) == 0; };
  if (integer_attribute(t, "allowzero", 0) != 0 && shape &&
      std::any_of(shape->begin(), shape->end(), is_zero)) {
    Value* zero = t.emit.scalar(t.results[0].type.dtype, std::int64_t{0});
    t.instead = {t.emit.op("Expand", {zero, t.emit.dims(*shape)}, {}, t.results[0].type)};
    return;
  }
  if (integer_attribute(t, "allowzero", 0) != 0 && shape) {
    for (const Dim& size : *shape) require_filled(t.emit, size);
    return remove_attribute(t, "allowzero");
  }
  drop_attribute(t, "allowzero", 0, "a size of 0 is asked for");
}

// Channels were the innermost within a block of pixels.
void depth_columns_first(Translation& t) {
  if (text_attribute(t, "mode", "DCR") == "DCR") return remove_attribute(t, "mode");
  const Shape& from = shape_of(t, 0);
  const std::int64_t block = integer_attribute(t, "blocksize", 1);
  const Dim channels = sym::floordiv(from[1], block * block);
  Value* split = t.emit.reshape(t.node.inputs[0], {from[0], channels, block, block, from[2], from[3]});
  t.instead = {t.emit.reshape(t.emit.transpose(split, {0, 1, 4, 2, 5, 3}),
                              {from[0], channels, from[2] * block, from[3] * block})};
}

void shape_slice(Translation& t) {
  if (!attribute(t, "start") && !attribute(t, "end")) return;
  const std::int64_t start = integer_attribute(t, "start", 0);
  const Type& type = t.results[0].type;
  const Dim length = type.shape->front();
  std::vector<std::int64_t> axes;
  if (!known(length)) needs(t, "the number of axes is not known");
  for (std::int64_t i = 0; i < *known(length); ++i) axes.push_back(start + i);
  Value* x = t.node.inputs[0];
  Value* all = t.emit.op("Shape", {x}, {}, Type{.dtype = DType::i64, .shape = Shape{x->rank()}});
  t.instead = {t.emit.op("Gather", {all, t.emit.ints(axes)}, {{"axis", std::int64_t{0}}}, type)};
}

void no_bf16_fill(Translation& t) {
  const auto* value = t.node.attribute_if<DataPtr>("value");
  if (!value || (*value)->dtype() != DType::bf16) return;
  const auto element = static_cast<float>((*value)->real(0));
  Value* filled = t.emit.op("ConstantOfShape", t.node.inputs,
                            {{"value", Data::of<float>(DType::f32, {1}, std::span(&element, 1))}});
  t.instead = {t.emit.cast(filled, DType::bf16)};
}

void cast_attributes(Translation& t) {
  for (DType dtype : {DType::f8e4m3fn, DType::f8e4m3fnuz, DType::f8e5m2, DType::f8e5m2fnuz})
    if (uses(t, dtype)) needs(t, "it has floats of eight bits");
  remove_attribute(t, "saturate");
}
void cast_round_mode(Translation& t) { remove_attribute(t, "round_mode"); }

constexpr Revision kAxes[] = {{13, axes_input_to_attribute}};
constexpr Revision kSplit[] = {{18, split_sizes}, {13, split_to_attribute}};
constexpr Revision kDepth[] = {{11, depth_columns_first}};
constexpr Revision kReshape[] = {{14, no_allow_zero}};
constexpr Revision kShape[] = {{15, shape_slice}};
constexpr Revision kFill[] = {{20, no_bf16_fill}};
constexpr Revision kCast[] = {{24, cast_round_mode}, {19, cast_attributes}};

constexpr Revisions kLayout[] = {
    {"Squeeze", kAxes},    {"Unsqueeze", kAxes}, {"Split", kSplit},          {"DepthToSpace", kDepth},
    {"Reshape", kReshape}, {"Shape", kShape},    {"ConstantOfShape", kFill}, {"Cast", kCast},
};

}  // namespace

std::span<const Revisions> layout_revisions() { return kLayout; }

}  // namespace cameo::onnx
