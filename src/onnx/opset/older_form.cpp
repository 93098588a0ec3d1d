#include "onnx/opset/older_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cameo/conversion.h"
#include "onnx/facts/facts.h"
#include "onnx/opset/versions.h"

namespace cameo::onnx {
namespace {

constexpr int kSoftmaxOfOneAxis = 13;

void put(Node& node, std::size_t index, Value* input) {
  if (node.inputs.size() <= index) node.inputs.resize(index + 1);
  node.inputs[index] = input;
}

void resize_by_scales(Node& node) {
  node.op = "Resize";
  node.inputs.insert(node.inputs.begin() + 1, nullptr);
  node.attributes.push_back({"coordinate_transformation_mode", std::string("asymmetric")});
  node.attributes.push_back({"nearest_mode", std::string("floor")});
}

// What was left out had to be there, empty.
void leave_out_empty(Node& node) {
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i] && node.inputs[i]->data && node.inputs[i]->data->numel() == 0)
      node.inputs[i] = nullptr;
}

void rename(Node& node) {
  if (node.op == "Scatter") node.op = "ScatterElements";
  if (node.op == "Upsample" || node.op == "Resize") {
    if (node.inputs.size() == 2) resize_by_scales(node);
    leave_out_empty(node);
  }
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::size_t input_named(const facts::Operator& op, std::string_view name) {
  if (op.name == "Pad" && name == "value") name = "constant_value";
  const auto found = std::ranges::find_if(
      op.inputs, [&](const facts::Parameter& input) { return same_letters(input.name, name); });
  return static_cast<std::size_t>(found - op.inputs.begin());
}

Value* as_input(Emit& e, const Node& node, const facts::Operator& op, std::size_t index,
                const AttributeValue& value) {
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return e.ints(*list);
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return op.name == "TopK" ? e.ints({*number}) : e.scalar(DType::i64, *number);
  if (const auto* number = std::get_if<float>(&value)) {
    const bool like_first = op.inputs[index].variable == op.inputs[0].variable && node.inputs[0];
    return e.scalar(like_first ? node.inputs[0]->dtype() : DType::f32, double{*number});
  }
  if (const auto* floats = std::get_if<std::vector<float>>(&value))
    return e.constant(Data::of<float>(DType::f32, {static_cast<std::int64_t>(floats->size())}, *floats));
  return nullptr;
}

// Attributes that became inputs.
void move_attributes(Emit& e, Node& node, const facts::Operator& op) {
  Attributes kept;
  for (Attribute& attribute : node.attributes) {
    const std::size_t index =
        op.attribute(attribute.name) ? op.inputs.size() : input_named(op, attribute.name);
    Value* input = index < op.inputs.size() && !node.inputs.empty()
                       ? as_input(e, node, op, index, attribute.value)
                       : nullptr;
    if (!input)
      kept.push_back(std::move(attribute));
    else if (index < node.inputs.size() && node.inputs[index])
      throw ConversionError(fmt::format("{} is given '{}' twice", op.name, attribute.name));
    else
      put(node, index, input);
  }
  node.attributes = std::move(kept);
}

facts::Kind kind_of(const AttributeValue& value) {
  using facts::Kind;
  constexpr Kind kKinds[] = {Kind::integer,  Kind::real,  Kind::string,  Kind::tensor, Kind::graph,
                             Kind::integers, Kind::reals, Kind::strings, Kind::graphs};
  return kKinds[value.index()];
}

// An int where a float is wanted is one.
void fit(AttributeValue& value, facts::Kind wanted) {
  if (const auto* number = std::get_if<std::int64_t>(&value); number && wanted == facts::Kind::real)
    value = static_cast<float>(*number);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list && wanted == facts::Kind::reals)
    value = std::vector<float>(list->begin(), list->end());
}

void check_attributes(Node& node, const facts::Operator& op) {
  for (Attribute& attribute : node.attributes) {
    const facts::Attribute* known = op.attribute(attribute.name);
    if (!known) throw ConversionError(fmt::format("{} has no attribute '{}'", op.name, attribute.name));
    fit(attribute.value, known->kind);
    if (kind_of(attribute.value) != known->kind)
      throw ConversionError(fmt::format("the attribute '{}' of {} is {}, not {}", attribute.name, op.name,
                                        name(known->kind), name(kind_of(attribute.value))));
  }
  for (const facts::Attribute& attribute : op.attributes)
    if (attribute.required && !node.attribute(attribute.name))
      throw ConversionError(fmt::format("{} needs the attribute '{}'", op.name, attribute.name));
}

void check_count(const facts::Operator& op, std::string_view what,
                 std::span<const facts::Parameter> parameters, std::size_t given) {
  const facts::Range range = facts::count(parameters);
  if (given >= range.least && given <= range.most) return;
  const bool few = given < range.least;
  throw ConversionError(fmt::format("{} has at {} {} {}, and {} given", op.name, few ? "least" : "most",
                                    few ? range.least : range.most, what,
                                    given == 1 ? "1 is" : fmt::format("{} are", given)));
}

void check_inputs(const Node& node, const facts::Operator& op) {
  check_count(op, "inputs", op.inputs, node.inputs.size());
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i] && facts::parameter(op.inputs, i)->arity != facts::Arity::optional)
      throw ConversionError(
          fmt::format("{} needs its input '{}'", op.name, facts::parameter(op.inputs, i)->name));
}

// Once the axes behind `axis` were taken together with it; they are not today.
void check_softmax(int opset, const Node& node) {
  if (node.op != "Softmax" && node.op != "LogSoftmax" && node.op != "Hardmax") return;
  if (opset >= kSoftmaxOfOneAxis) return;
  const auto* axis = node.attribute_if<std::int64_t>("axis");
  const Value& x = *node.inputs[0];
  if (axis && (*axis == -1 || (x.has_rank() && *axis == x.rank() - 1))) return;
  if (!axis && x.has_rank() && x.rank() == 2) return;
  throw ConversionError(
      fmt::format("before opset {} {} takes all axes from 'axis' on together, later that one alone",
                  kSoftmaxOfOneAxis, node.op),
      "give it the last axis, where both are the same");
}

}  // namespace

void modernize(Emit& e, Node& node, std::size_t outputs) {
  rename(node);
  const facts::Operator* op = facts::find({}, node.op, kMaxOpset);
  if (!op || op->deprecated)
    throw ConversionError(fmt::format("ONNX has no operator '{}'", node.op),
                          "name the domain of an operator of your own: 'mydomain::" + node.op + "'");
  move_attributes(e, node, *op);
  check_attributes(node, *op);
  while (!node.inputs.empty() && !node.inputs.back()) node.inputs.pop_back();
  check_inputs(node, *op);
  check_count(*op, "outputs", op->outputs, outputs);
  check_softmax(e.model().opset, node);
}

}  // namespace cameo::onnx
