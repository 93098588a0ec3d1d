#include "operator_map/read_nodes.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/core.h>

#include "base/overload.h"
#include "base/text.h"
#include "onnx/facts/facts.h"

namespace cameo::operator_map {
namespace {

namespace facts = onnx::facts;

constexpr std::int64_t kMaxShown = 12;

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
}

std::string element(const onnx::Data& data, std::int64_t index) {
  if (data.dtype() == DType::boolean) return data.integer(index) != 0 ? "true" : "false";
  if (is_integral(data.dtype())) return std::to_string(data.integer(index));
  if (data.dtype() == DType::f32)
    return number(std::stod(fmt::format("{}", static_cast<float>(data.real(index)))));
  return number(data.real(index));
}

std::string constant(const onnx::Data& data) {
  std::string type = fmt::format("{}[{}]", name(data.dtype()), join(data.shape(), ","));
  const bool plain = is_floating(data.dtype()) || is_integral(data.dtype()) || data.dtype() == DType::boolean;
  if (!plain || data.numel() > kMaxShown || data.numel() == 0 || data.shape().size() > 1) return type;
  if (data.shape().empty()) return element(data, 0);
  std::vector<std::string> elements;
  for (std::int64_t i = 0; i < data.numel(); ++i) elements.push_back(element(data, i));
  return fmt::format("[{}]", join(elements, ", "));
}

std::string attribute_text(const onnx::AttributeValue& value) {
  return std::visit(
      Overload{
          [](std::int64_t i) { return std::to_string(i); },
          [](float f) { return number(std::stod(fmt::format("{}", f))); },
          [](const std::string& s) { return s; },
          [](const onnx::DataPtr& data) { return constant(*data); },
          [](onnx::Graph*) { return std::string("graph"); },
          [](const std::vector<std::int64_t>& list) { return fmt::format("[{}]", join(list, ", ")); },
          [](const std::vector<float>& list) { return fmt::format("[{}]", join(list, ", ")); },
          [](const std::vector<std::string>& list) { return fmt::format("[{}]", join(list, ", ")); },
          [](const std::vector<onnx::Graph*>&) { return std::string("graphs"); },
      },
      value);
}

class Reader {
 public:
  Reader(int opset, const std::vector<onnx::Value*>& results) : opset_(opset) {
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i]->producer)
        names_.try_emplace(results[i], i == 0 ? "output" : fmt::format("output_{}", i));
  }

  std::vector<EmittedNode> read(const onnx::Graph& graph) {
    std::vector<EmittedNode> nodes;
    for (const onnx::Node* node : graph.nodes) nodes.push_back(read(*node));
    return nodes;
  }

  std::string text(const onnx::Value* value) {
    if (!value) return {};
    if (value->constant()) return constant(*value->data);
    if (!value->producer && !value->name.empty()) return value->name;
    const auto found = names_.try_emplace(value, fmt::format("%{}", next_));
    if (found.second) ++next_;
    return found.first->second;
  }

 private:
  EmittedNode read(const onnx::Node& node) {
    const facts::Operator* known = facts::find(node.domain, node.op, opset_);
    EmittedNode out;
    out.op = node.domain.empty() ? node.op : fmt::format("{}::{}", node.domain, node.op);
    out.version = known ? known->since : 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      out.inputs.push_back({input_name(known, i), text(node.inputs[i])});
    for (const onnx::Attribute& attribute : node.attributes) {
      out.attributes.push_back({attribute.name, attribute_text(attribute.value)});
      for (const onnx::Graph* graph : onnx::subgraphs(attribute.value))
        for (EmittedNode& inner : read(*graph)) out.body.push_back(std::move(inner));
    }
    if (known) add_standards(*known, out.attributes);
    std::ranges::sort(out.attributes, {}, &Slot::name);
    for (const onnx::Value* output : node.outputs) out.outputs.push_back(text(output));
    return out;
  }

  static std::string input_name(const facts::Operator* known, std::size_t index) {
    const facts::Parameter* parameter = known ? facts::parameter(known->inputs, index) : nullptr;
    if (!parameter) return std::to_string(index);
    if (parameter->arity != facts::Arity::variadic) return std::string(parameter->name);
    return fmt::format("{}[{}]", parameter->name, index + 1 - known->inputs.size());
  }

  static void add_standards(const facts::Operator& known, std::vector<Slot>& attributes) {
    for (const facts::Attribute& attribute : known.attributes)
      if (attribute.has_default &&
          std::ranges::find(attributes, attribute.name, &Slot::name) == attributes.end())
        attributes.push_back({std::string(attribute.name), std::string(attribute.standard), true});
  }

  int opset_;
  int next_ = 1;
  std::unordered_map<const onnx::Value*, std::string> names_;
};

}  // namespace

Conversion read_nodes(const onnx::Model& model, const std::vector<onnx::Value*>& results) {
  Reader reader(model.opset, results);
  Conversion conversion;
  conversion.nodes = reader.read(model.main());
  for (const onnx::Value* result : results) conversion.results.push_back(reader.text(result));
  return conversion;
}

}  // namespace cameo::operator_map
