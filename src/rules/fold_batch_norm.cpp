#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "rules/rules.h"
#include "rules/uses.h"

namespace cameo::rules {
namespace {

using onnx::Node;
using onnx::Value;

bool is_real(const Value* value) { return value->dtype() == DType::f32 || value->dtype() == DType::f64; }
bool constant_real(const Value* value) { return value && value->constant() && is_real(value); }

// y = x·scale + shift, channel by channel.
struct Affine {
  std::vector<double> scale, shift;
};

std::optional<Affine> affine_of(const Node& norm) {
  if (norm.outputs.size() != 1) return std::nullopt;
  if (const auto* training = norm.attribute_if<std::int64_t>("training_mode"); training && *training != 0)
    return std::nullopt;
  for (std::size_t i = 1; i < 5; ++i)
    if (!constant_real(norm.inputs.at(i))) return std::nullopt;
  const auto* given = norm.attribute_if<float>("epsilon");
  const double epsilon = given ? static_cast<double>(*given) : 1e-5;
  const onnx::Data &gamma = *norm.inputs[1]->data, &beta = *norm.inputs[2]->data,
                   &mean = *norm.inputs[3]->data, &variance = *norm.inputs[4]->data;
  Affine affine;
  for (std::int64_t c = 0; c < gamma.numel(); ++c) {
    const double scale = gamma.real(c) / std::sqrt(variance.real(c) + epsilon);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta.real(c) - mean.real(c) * scale);
  }
  return affine;
}

template <class T>
onnx::DataPtr scaled_weight(const onnx::Data& weight, const Affine& affine, bool transposed,
                            std::int64_t groups) {
  const Bytes bytes = weight.bytes();
  std::vector<T> out(static_cast<std::size_t>(weight.numel()));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  // [out, in/groups, …], or [in, out/groups, …] if transposed.
  const std::int64_t rows = weight.shape()[0], columns = weight.shape()[1];
  const std::int64_t inner = rows * columns == 0 ? 0 : weight.numel() / (rows * columns);
  std::size_t at = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t channel = transposed ? row / (rows / groups) * columns + column : row;
      const double scale = affine.scale[static_cast<std::size_t>(channel)];
      for (std::int64_t i = 0; i < inner; ++i, ++at)
        out[at] = static_cast<T>(static_cast<double>(out[at]) * scale);
    }
  return onnx::Data::of<T>(weight.dtype(), weight.shape(), out);
}

template <class T>
onnx::DataPtr shifted_bias(DType dtype, const Value* bias, const Affine& affine) {
  std::vector<T> out;
  for (std::size_t c = 0; c < affine.scale.size(); ++c) {
    const double old = bias ? bias->data->real(static_cast<std::int64_t>(c)) : 0;
    out.push_back(static_cast<T>(old * affine.scale[c] + affine.shift[c]));
  }
  return onnx::Data::of<T>(dtype, {static_cast<std::int64_t>(out.size())}, out);
}

Value* constant(onnx::Model& model, onnx::DataPtr data, const std::string& name) {
  onnx::Type type{onnx::Type::Kind::tensor, data->dtype(), onnx::Shape{}};
  for (std::int64_t dim : data->shape()) type.shape->push_back(dim);
  Value* value = model.add_value(std::move(type), name);
  value->data = std::move(data);
  return value;
}

std::string bias_name(const std::string& weight) {
  return weight.ends_with(".weight") ? weight.substr(0, weight.size() - 6) + "bias" : std::string();
}

bool fold_one(onnx::Model& model, Node& norm, const std::unordered_map<const Value*, std::size_t>& uses) {
  if (norm.op != "BatchNormalization" || !norm.domain.empty()) return false;
  Node* conv = norm.inputs[0]->producer;
  if (!conv || !conv->domain.empty() || (conv->op != "Conv" && conv->op != "ConvTranspose") ||
      conv->graph != norm.graph)
    return false;
  if (uses.at(norm.inputs[0]) != 1) return false;
  Value* weight = conv->inputs.at(1);
  Value* bias = conv->inputs.size() > 2 ? conv->inputs[2] : nullptr;
  if (!constant_real(weight) || (bias && !constant_real(bias))) return false;
  const std::optional<Affine> affine = affine_of(norm);
  if (!affine) return false;
  const bool transposed = conv->op == "ConvTranspose";
  const auto* given = conv->attribute_if<std::int64_t>("group");
  const std::int64_t groups = given ? *given : 1;
  const DType dtype = weight->dtype();
  const bool single = dtype == DType::f32;
  onnx::DataPtr new_weight = single ? scaled_weight<float>(*weight->data, *affine, transposed, groups)
                                    : scaled_weight<double>(*weight->data, *affine, transposed, groups);
  onnx::DataPtr new_bias =
      single ? shifted_bias<float>(dtype, bias, *affine) : shifted_bias<double>(dtype, bias, *affine);
  conv->inputs.resize(3);
  conv->inputs[1] = constant(model, std::move(new_weight), weight->name);
  conv->inputs[2] = constant(model, std::move(new_bias), bias ? bias->name : bias_name(weight->name));
  conv->outputs[0] = norm.outputs[0];
  conv->outputs[0]->producer = conv;
  return true;
}

}  // namespace

std::size_t fold_batch_norm(onnx::Model& model) {
  std::size_t applied = 0;
  const auto uses = count_uses(model.main());
  for_each_graph(model.main(), [&](onnx::Graph& graph) {
    applied += std::erase_if(graph.nodes, [&](onnx::Node* node) { return fold_one(model, *node, uses); });
  });
  return applied;
}

}  // namespace cameo::rules
