#include "onnx/downgrade/families.h"
#include "onnx/downgrade/steps.h"
#include "onnx/fold/quantize.h"

namespace cameo::onnx {
namespace {

bool four_bit_type(DType dtype) { return dtype == DType::i4 || dtype == DType::u4; }
bool sixteen_bit_type(DType dtype) { return dtype == DType::i16 || dtype == DType::u16; }
DType eight_bit_type(DType four) { return four == DType::i4 ? DType::i8 : DType::u8; }

// Constants of four bits, as integers of eight.
void widen_constant(Translation& t, std::size_t input) {
  if (!has_input(t, input) || !four_bit_type(t.node.inputs[input]->dtype())) return;
  const Value* value = t.node.inputs[input];
  if (!value->constant()) needs(t, "it has integers of four bits");
  const DType wide = eight_bit_type(value->dtype());
  DataPtr data = value->data;
  Recipe recipe = [data, wide](const Sink& sink) {
    std::vector<std::int64_t> integers;
    data->copy_to([&](Bytes bytes) {
      const std::int64_t count = std::ssize(bytes) * 2;
      const Data piece(data->dtype(), {count}, std::vector<std::byte>(bytes.begin(), bytes.end()));
      const std::vector<std::int64_t> more = all_integers(piece);
      integers.insert(integers.end(), more.begin(), more.end());
      integers.resize(std::min(integers.size(), static_cast<std::size_t>(data->numel())));
      sink(integers_of(wide, {std::ssize(integers)}, integers)->bytes());
      integers.clear();
    });
  };
  t.node.inputs[input] =
      t.emit.constant(std::make_shared<Data>(wide, value->data->shape(), std::move(recipe)), value->name);
}

// A scale or zero point, shaped to be broadcast to x. `blocks`: it has an element for each block of an axis that was
// divided.
Value* beside_x(Translation& t, Value* parameter, bool blocks) {
  Emit& e = t.emit;
  if (blocks)
    return e.unsqueeze(parameter, {from_front(integer_attribute(t, "axis", 1), shape_of(t, 0).rank()) + 1});
  if (shape_of(t, 1).empty()) return parameter;
  const std::int64_t rank = shape_of(t, 0).rank();
  Shape shape = Shape::filled(rank, Dim(1));
  shape[from_front(integer_attribute(t, "axis", 1), rank)] = shape_of(t, 1)[0];
  return e.reshape(parameter, shape);
}

// x with the axis of the blocks divided in two.
Value* in_blocks(Translation& t, std::int64_t block) {
  Shape shape = shape_of(t, 0);
  const std::int64_t axis = from_front(integer_attribute(t, "axis", 1), shape.rank());
  const auto size = known(shape[axis]);
  if (!size || *size % block != 0) needs(t, "its last block is shorter than the others");
  shape[axis] = Dim(*size / block);
  shape.insert_at(axis + 1, Dim(block));
  return t.emit.reshape(t.node.inputs[0], shape);
}

// (x - zero_point) * scale, by operators for floats.
void dequantize_by_arithmetic(Translation& t) {
  Emit& e = t.emit;
  const std::int64_t block = integer_attribute(t, "block_size", 0);
  const Shape shape = shape_of(t, 0);
  Value* scale = t.node.inputs[1];
  Value* x = e.cast(block > 0 ? in_blocks(t, block) : t.node.inputs[0], scale->dtype());
  if (has_input(t, 2)) x = e.op("Sub", {x, e.cast(beside_x(t, t.node.inputs[2], block > 0), scale->dtype())});
  Value* product = e.op("Mul", {x, beside_x(t, scale, block > 0)});
  if (block > 0) product = e.reshape(product, shape);
  t.instead = {e.cast(product, t.results[0].type.dtype)};
}

// The rounded and limited integers, by operators for floats.
void quantize_by_arithmetic(Translation& t, DType dtype) {
  Emit& e = t.emit;
  Value* number = e.cast(t.node.inputs[0], DType::f32);
  Value* scaled = e.op("Div", {number, beside_x(t, e.cast(t.node.inputs[1], DType::f32), false)});
  Value* integers = e.op("Round", {scaled});
  if (has_input(t, 2))
    integers = e.op("Add", {integers, e.cast(beside_x(t, t.node.inputs[2], false), DType::f32)});
  const auto [least, most] = limits_of(dtype);
  t.instead = {e.cast(e.op("Clip", {integers, e.scalar(DType::f32, static_cast<double>(least)),
                                    e.scalar(DType::f32, static_cast<double>(most))}),
                      dtype)};
}

// Integers of four bits become integers of eight bits with the same limits.
void quantize_wider(Translation& t) {
  const DType four = t.results[0].type.dtype;
  const auto [least, most] = limits_of(four);
  widen_constant(t, 2);
  if (!has_input(t, 2)) t.node.inputs.resize(3, t.emit.scalar(eight_bit_type(four), std::int64_t{0}));
  Value* wide = t.emit.op("QuantizeLinear", t.node.inputs, t.node.attributes);
  t.instead = {
      t.emit.op("Clip", {wide, t.emit.scalar(wide->dtype(), least), t.emit.scalar(wide->dtype(), most)})};
}

void quantize_before_21(Translation& t) {
  drop_attribute(t, "block_size", 0, "it quantises in blocks");
  if (const std::int64_t type = integer_attribute(t, "output_dtype", 0); type != 0 && !has_input(t, 2)) {
    const DType dtype = t.results[0].type.dtype;
    if (is_floating(dtype)) needs(t, "it gives floats of eight bits");
    const std::int64_t zero = 0;
    t.node.inputs.resize(3, t.emit.constant(integers_of(dtype, {}, std::span(&zero, 1))));
  }
  remove_attribute(t, "output_dtype");
  const DType dtype = t.results[0].type.dtype;
  if (four_bit_type(dtype)) return quantize_wider(t);
  if (sixteen_bit_type(dtype)) quantize_by_arithmetic(t, dtype);
}

void dequantize_before_21(Translation& t) {
  widen_constant(t, 0);
  widen_constant(t, 2);
  if (integer_attribute(t, "block_size", 0) != 0 || sixteen_bit_type(t.node.inputs[0]->dtype()))
    return dequantize_by_arithmetic(t);
  remove_attribute(t, "block_size");
}

void floats_before_19(Translation& t) {
  remove_attribute(t, "saturate");
  for (std::size_t input : {0u, 1u})
    if (const DType dtype = t.node.inputs[input]->dtype(); dtype == DType::f16 || dtype == DType::bf16)
      t.node.inputs[input] = t.emit.cast(t.node.inputs[input], DType::f32);
}

void dequantize_before_19(Translation& t) {
  const DType dtype = t.node.inputs[1]->dtype();
  if (dtype != DType::f16 && dtype != DType::bf16) return;
  std::vector<Value*> inputs = t.node.inputs;
  inputs[1] = t.emit.cast(inputs[1], DType::f32);
  t.instead = {t.emit.cast(t.emit.op("DequantizeLinear", inputs, t.node.attributes), dtype)};
}

bool per_axis(const Translation& t) {
  const Value* scale = t.node.inputs[1];
  return !scale->has_rank() || scale->rank() > 0;
}

void dequantize_before_13(Translation& t) {
  if (per_axis(t)) return dequantize_by_arithmetic(t);
  remove_attribute(t, "axis");
}

void quantize_before_13(Translation& t) {
  if (per_axis(t)) {
    if (t.opset < first_opset("Round")) needs(t, "each index of an axis has its own scale");
    return quantize_by_arithmetic(t, t.results[0].type.dtype);
  }
  remove_attribute(t, "axis");
}

void dequantize_before_23(Translation& t) {
  const std::int64_t type = integer_attribute(t, "output_dtype", 0);
  if (type == 0 || t.results[0].type.dtype == t.node.inputs[1]->dtype())
    return remove_attribute(t, "output_dtype");
  remove_attribute(t, "output_dtype");
  t.instead = {
      t.emit.cast(t.emit.op("DequantizeLinear", t.node.inputs, t.node.attributes), t.results[0].type.dtype)};
}

void quantize_precision(Translation& t) { drop_attribute(t, "precision", 0, "it names its precision"); }

constexpr Revision kQuantize[] = {
    {23, quantize_precision}, {21, quantize_before_21}, {19, floats_before_19}, {13, quantize_before_13}};
constexpr Revision kDequantize[] = {{23, dequantize_before_23},
                                    {21, dequantize_before_21},
                                    {19, dequantize_before_19},
                                    {13, dequantize_before_13}};

constexpr Revisions kQuantization[] = {
    {"QuantizeLinear", kQuantize},
    {"DequantizeLinear", kDequantize},
};

}  // namespace

std::span<const Revisions> quantization_revisions() { return kQuantization; }

}  // namespace cameo::onnx
