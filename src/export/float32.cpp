#include "export/float32.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "onnx/graph/visit.h"

namespace cameo {
namespace {

using onnx::DataPtr;

float narrowed(double number) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::isfinite(number) ? std::clamp(number, -kMost, kMost) : number);
}

// The elements are computed whenever they are read: weights may be large.
DataPtr narrowed(const DataPtr& wide) {
  return std::make_shared<onnx::Data>(DType::f32, wide->shape(), [wide](const onnx::Sink& sink) {
    wide->copy_to([&](Bytes bytes) {
      const std::span numbers(reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double));
      std::vector<float> piece(numbers.size());
      std::ranges::transform(numbers, piece.begin(), [](double number) { return narrowed(number); });
      sink(std::as_bytes(std::span(piece)));
    });
  });
}

void narrow(onnx::Value* value, std::unordered_set<const onnx::Value*>& done) {
  if (!value || value->dtype() != DType::f64 || !done.insert(value).second) return;
  value->type.dtype = DType::f32;
  if (value->data) value->data = narrowed(value->data);
}

void narrow(onnx::Attribute& attribute) {
  const bool names_type =
      attribute.name == "to" || attribute.name == "dtype" || attribute.name == "output_dtype";
  if (auto* type = std::get_if<std::int64_t>(&attribute.value);
      type && names_type && *type == onnx::to_onnx(DType::f64))
    *type = onnx::to_onnx(DType::f32);
  if (auto* data = std::get_if<DataPtr>(&attribute.value); data && (*data)->dtype() == DType::f64)
    *data = narrowed(*data);
}

}  // namespace

void use_float32(onnx::Model& model) {
  std::unordered_set<const onnx::Value*> done;
  const auto narrow_all = [&](const onnx::Graph& graph) {
    for (const auto* list : {&graph.inputs, &graph.outputs})
      for (onnx::Value* value : *list) narrow(value, done);
  };
  narrow_all(model.main());
  onnx::each_node(model.main(), [&](onnx::Node& node) {
    for (const auto* list : {&node.inputs, &node.outputs})
      for (onnx::Value* value : *list) narrow(value, done);
    for (onnx::Attribute& attribute : node.attributes) {
      narrow(attribute);
      for (const onnx::Graph* graph : onnx::subgraphs(attribute.value)) narrow_all(*graph);
    }
  });
}

}  // namespace cameo
