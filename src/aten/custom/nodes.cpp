// The nodes and constants that a converter of the user adds, and the types that it declares.
#include <fmt/core.h>

#include <algorithm>

#include "aten/custom/conversion.h"
#include "aten/custom/public_values.h"
#include "aten/support.h"
#include "onnx/graph/errors.h"
#include "onnx/infer/infer.h"
#include "onnx/upgrade/modernize.h"

namespace cameo::aten {
namespace {

onnx::Node make_node(std::string_view type, const NodeAttributes& attributes) {
  onnx::Node node;
  if (const std::size_t colons = type.find("::"); colons != type.npos) {
    node.domain = type.substr(0, colons);
    type.remove_prefix(colons + 2);
  }
  if (node.domain == "onnx" || node.domain == "ai.onnx") node.domain.clear();
  node.op = type;
  for (const NodeAttribute& attribute : attributes)
    node.attributes.push_back({attribute.name, to_attribute(attribute.value)});
  return node;
}

std::string full_name(const onnx::Node& node) {
  return node.domain.empty() ? node.op : fmt::format("{}::{}", node.domain, node.op);
}

onnx::Value* make_constant(Emit& e, const onnx::Node& node) {
  if (const auto* data = node.attribute_if<onnx::DataPtr>("value")) return e.constant(*data);
  throw ConversionError(
      "Constant needs one of the attributes value, value_int, value_float, value_ints, value_floats");
}

// The element type of a number, or of a list of numbers, where none is asked for.
DType natural_type(const Argument& argument) {
  if (const auto* number = std::get_if<Argument::Number>(&argument.value)) {
    const DType dtype = dtype_of(number->value.dtype());
    return is_floating(dtype) ? DType::f32 : dtype;
  }
  if (std::holds_alternative<bool>(argument.value)) return DType::boolean;
  if (std::holds_alternative<double>(argument.value)) return DType::f32;
  if (const auto* tensor = std::get_if<cameo::Tensor>(&argument.value)) return dtype_of(tensor->dtype());
  const auto* list = std::get_if<Argument::List>(&argument.value);
  if (!list || list->empty()) return DType::i64;
  DType all = natural_type(list->front());
  for (const Argument& item : *list) all = promote(all, natural_type(item));
  return all;
}

}  // namespace

std::vector<cameo::Tensor> GraphConversion::ops(std::string_view type,
                                                const std::vector<cameo::Tensor>& inputs,
                                                const NodeAttributes& attributes, std::size_t outputs) {
  onnx::Node node = make_node(type, attributes);
  for (const cameo::Tensor& input : inputs) node.inputs.push_back(take(input));
  const bool own = node.domain.empty();
  if (outputs == 0) throw ConversionError(fmt::format("{} needs at least one output", full_name(node)));
  std::vector<cameo::Tensor> out;
  for (onnx::Value* value : own ? standard(std::move(node), outputs) : foreign(node, outputs))
    out.push_back(hand_out(value));
  return out;
}

std::vector<onnx::Value*> GraphConversion::standard(onnx::Node node, std::size_t outputs) {
  onnx::modernize(emit_, node, outputs);
  if (node.op == "Constant") return {make_constant(emit_, node)};
  if (!onnx::can_infer(node)) return foreign(node, outputs);
  try {
    return emit_.ops(node.op, node.inputs, node.attributes, outputs);
  } catch (const onnx::ShapeMismatch& error) {
    throw ConversionError(fmt::format("{}: {}", node.op, error.what()));
  }
}

std::vector<onnx::Value*> GraphConversion::foreign(const onnx::Node& node, std::size_t outputs) {
  std::vector<Operand> operands;
  for (onnx::Value* input : node.inputs)
    if (input && input->type.kind == onnx::Type::Kind::tensor) operands.emplace_back(Tensor(input));
  const std::vector<onnx::Type> types(outputs,
                                      {onnx::Type::Kind::tensor, result_type(operands), std::nullopt});
  const std::string op = full_name(node);
  std::vector<onnx::Value*> values = emit_.ops(op, node.inputs, node.attributes, types);
  for (onnx::Value* value : values) untold_.push_back({value, op, !operands.empty()});
  return values;
}

void GraphConversion::set_type(const cameo::Tensor& tensor, ElementType dtype, std::optional<Sizes> shape) {
  onnx::Value* value = take(tensor);
  if (!value) throw ConversionError("an empty tensor has no type");
  const DType told = dtype == ElementType::undefined ? value->dtype() : aten::dtype_of(dtype);
  const auto untold = std::ranges::find(untold_, value, &Untold::value);
  if (untold != untold_.end()) {
    value->type = {onnx::Type::Kind::tensor, told, std::nullopt};
    if (dtype != ElementType::undefined) untold_.erase(untold);
  } else if (told != value->dtype()) {
    throw ConversionError(
        fmt::format("a tensor of {} is said to be of {}", cameo::name(value->dtype()), cameo::name(told)));
  }
  if (shape) tell(value, *shape);
}

// Unknown sizes become new symbols that are bound to this value.
void GraphConversion::tell(onnx::Value* value, const Sizes& sizes) {
  if (!value->has_rank()) {
    value->type.shape = Shape{};
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const std::optional<Dim> dim = to_dim(sizes[axis]);
      value->type.shape->push_back(dim ? *dim : emit_.fresh_dim("size"));
      if (!dim) emit_.bind_dim(value->type.shape->back(), value, static_cast<std::int64_t>(axis));
    }
    return;
  }
  bool agrees = value->type.shape->size() == sizes.size();
  for (std::size_t axis = 0; agrees && axis < sizes.size(); ++axis) {
    const std::optional<Dim> dim = to_dim(sizes[axis]);
    agrees = !dim || emit_.sym().equal(*dim, (*value->type.shape)[axis]) != sym::Truth::no;
  }
  if (agrees) return;
  std::string said;
  for (const Size& size : sizes) said += (said.empty() ? "" : ", ") + size.text();
  throw ConversionError(
      fmt::format("a tensor {} is said to have the shape [{}]", to_string(value->type), said));
}

cameo::Tensor GraphConversion::constant(const Contents& contents) {
  return hand_out(emit_.constant(to_data(contents)));
}

cameo::Tensor GraphConversion::value(const Argument& argument, ElementType dtype) {
  if (argument.is_none()) return {};
  const DType wanted = dtype == ElementType::undefined ? natural_type(argument) : aten::dtype_of(dtype);
  return hand_out(number(argument, wanted));
}

onnx::Value* GraphConversion::number(const Argument& argument, DType dtype) {
  if (const auto* tensor = std::get_if<cameo::Tensor>(&argument.value))
    return emit_.cast(take(*tensor), dtype);
  if (const auto* runtime = std::get_if<Argument::Number>(&argument.value))
    return emit_.cast(take(runtime->value), dtype);
  if (const auto* real = std::get_if<double>(&argument.value)) return emit_.scalar(dtype, *real);
  if (const bool* flag = std::get_if<bool>(&argument.value)) return emit_.scalar(dtype, std::int64_t{*flag});
  if (const auto* size = std::get_if<Size>(&argument.value))
    return emit_.cast(emit_.dim(*to_dim(*size)), dtype);
  std::vector<onnx::Value*> items;
  for (const Argument& item : argument.items()) items.push_back(emit_.unsqueeze(number(item, dtype), {0}));
  if (items.empty()) return emit_.cast(emit_.ints({}), dtype);
  return emit_.concat(std::move(items), 0);
}

cameo::Tensor GraphConversion::value(const Sizes& sizes) {
  Shape dims;
  for (const Size& size : sizes) {
    const std::optional<Dim> dim = to_dim(size);
    if (!dim) throw ConversionError("a size that is not known cannot be computed");
    dims.push_back(*dim);
  }
  return hand_out(emit_.dims(dims));
}

}  // namespace cameo::aten
