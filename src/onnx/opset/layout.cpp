#include <algorithm>

#include "onnx/opset/families.h"
#include "onnx/opset/steps.h"

namespace cameo::onnx {
namespace {

void axes_to_attribute(Translation& t) { input_to_integers(t, 1, "axes"); }
void split_to_attribute(Translation& t) { input_to_integers(t, 1, "split"); }

// Without sizes the parts had to be equal.
void split_sizes(Translation& t) {
  remove_attribute(t, "num_outputs");
  if (has_input(t, 1)) return;
  const Value* x = t.node.inputs[0];
  if (!x->has_rank()) needs(t, "the number of axes is not known");
  const std::int64_t given = integer_attribute(t, "axis", 0);
  const auto axis = static_cast<std::size_t>(given < 0 ? given + x->rank() : given);
  const auto parts = static_cast<std::int64_t>(t.results.size());
  if (t.emit.sym().divisible((*x->type.shape)[axis], parts) == sym::Truth::yes) return;
  Shape sizes;
  for (const Inferred& result : t.results) sizes.push_back((*result.type.shape)[axis]);
  t.node.inputs.resize(2);
  t.node.inputs[1] = t.emit.dims(sizes);
}

// Pads for the given axes become pads for all.
void pad_all_axes(Translation& t) {
  if (!has_input(t, 3)) return;
  const Value* x = t.node.inputs[0];
  const Value* axes = t.node.inputs[3];
  if (!x->has_rank() || !axes->constant()) needs(t, "the axes are known only when the model runs");
  const std::int64_t count = axes->data->numel(), rank = x->rank();
  std::vector<Value*> pieces(static_cast<std::size_t>(2 * rank), t.emit.ints({0}));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t given = axes->data->integer(i);
    const std::int64_t axis = given < 0 ? given + rank : given;
    for (std::int64_t end : {0, 1})
      pieces[static_cast<std::size_t>(axis + end * rank)] =
          t.emit.gather(t.node.inputs[1], t.emit.ints({i + end * count}), 0);
  }
  t.node.inputs.resize(3);
  t.node.inputs[1] = t.emit.concat(std::move(pieces), 0);
  if (!t.node.inputs[2]) t.node.inputs.resize(2);
}

void no_wrap(Translation& t) {
  if (text_attribute(t, "mode", "constant") == "wrap") needs(t, "it pads by wrapping round");
}

void no_allow_zero(Translation& t) { drop_attribute(t, "allowzero", 0, "a size of 0 is asked for"); }

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

void cast_attributes(Translation& t) { remove_attribute(t, "saturate"); }
void cast_round_mode(Translation& t) { remove_attribute(t, "round_mode"); }

constexpr Revision kAxes[] = {{13, axes_to_attribute}};
constexpr Revision kSplit[] = {{18, split_sizes}, {13, split_to_attribute}};
constexpr Revision kPad[] = {{19, no_wrap}, {18, pad_all_axes}};
constexpr Revision kReshape[] = {{14, no_allow_zero}};
constexpr Revision kShape[] = {{15, shape_slice}};
constexpr Revision kFill[] = {{20, no_bf16_fill}};
constexpr Revision kCast[] = {{24, cast_round_mode}, {19, cast_attributes}};

constexpr Revisions kLayout[] = {
    {"Squeeze", kAxes},    {"Unsqueeze", kAxes}, {"Split", kSplit},          {"Pad", kPad},
    {"Reshape", kReshape}, {"Shape", kShape},    {"ConstantOfShape", kFill}, {"Cast", kCast},
};

}  // namespace

std::span<const Revisions> layout_revisions() { return kLayout; }

}  // namespace cameo::onnx
