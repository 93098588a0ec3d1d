#include "onnx/fold/fold.h"
#include "rules/list.h"
#include "rules/match.h"

namespace cameo::rules {
namespace {

// The elements in the order of the transposed axes. They are gathered while they are written.
onnx::DataPtr transposed(const onnx::Value& weight, const onnx::Node& transpose, const Ints& order) {
  onnx::Node node;
  node.op = "Transpose";
  onnx::Value copy = weight;
  node.inputs = {&copy};
  node.attributes = transpose.attributes;
  if (onnx::DataPtr view = onnx::fold_layout(node)) return view;
  const Ints shape = weight.data->shape();
  Ints result, strides(shape.size(), 1), steps;
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  for (std::int64_t axis : order) {
    result.push_back(element_at(shape, axis));
    steps.push_back(element_at(strides, axis));
  }
  onnx::Recipe recipe = [data = weight.data, result, steps](const onnx::Sink& sink) {
    std::vector<std::byte> all;
    data->copy_to([&all](Bytes piece) { all.insert(all.end(), piece.begin(), piece.end()); });
    Ints at(result.size());
    const auto row = result.empty() ? 1 : result.back();
    std::vector<std::byte> piece(static_cast<std::size_t>(row));
    for (std::int64_t rows = all.empty() ? 0 : std::ssize(all) / row; rows-- > 0;) {
      std::int64_t from = 0;
      for (std::size_t axis = 0; axis + 1 < at.size(); ++axis) from += at[axis] * steps[axis];
      for (std::int64_t i = 0; i < row; ++i)
        element_at(piece, i) = element_at(all, from + i * (steps.empty() ? 1 : steps.back()));
      sink(piece);
      for (std::size_t axis = at.size() - 1; axis-- > 0;) {
        if (++at[axis] < result[axis]) break;
        at[axis] = 0;
      }
    }
  };
  return std::make_shared<onnx::Data>(weight.dtype(), result, std::move(recipe));
}

}  // namespace

// The Transpose becomes the DequantizeLinear of transposed integers.
bool move_dequantize(Patch& patch, onnx::Node& transpose) {
  onnx::Node* dequantize = made_by(transpose.inputs[0], {"DequantizeLinear"});
  if (!patch.require(
          dequantize && dequantize->inputs[0]->constant() && size_of(dequantize->inputs[0]->dtype()) == 1,
          "its input is not the result of a DequantizeLinear of a constant of eight bits") ||
      !patch.require(patch.read_once(transpose.inputs[0]), "another node reads the DequantizeLinear"))
    return false;
  const auto order = permutation(transpose);
  const bool one_scale = dequantize->inputs[1]->has_rank() && dequantize->inputs[1]->rank() == 0;
  if (!patch.require(order.has_value(), "the order of the axes is not known") ||
      !patch.require(integer(*dequantize, "block_size", 0) == 0, "the integers are quantised in blocks"))
    return false;
  onnx::Value* weight = dequantize->inputs[0];
  std::vector<onnx::Value*> inputs = dequantize->inputs;
  inputs[0] = patch.constant(transposed(*weight, transpose, *order), weight->name);
  const std::int64_t rank = std::ssize(*order), axis = integer(*dequantize, "axis", 1);
  const auto place = std::ranges::find(*order, axis < 0 ? axis + rank : axis);
  transpose.op = "DequantizeLinear";
  transpose.attributes = dequantize->attributes;
  patch.set_inputs(transpose, std::move(inputs));
  if (!one_scale) patch.set_attribute(transpose, "axis", std::int64_t{place - order->begin()});
  return true;
}

}  // namespace cameo::rules
