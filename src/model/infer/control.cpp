#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/infer/walk.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Type;

constexpr int kMaxPasses = 4;        // through a body, before the shapes of what it carries are given up
constexpr int kMaxNestedPasses = 3;  // loops in one another that are walked several times

const proto::Graph* graph_of(const proto::Node& node, std::string_view name, const Place& place) {
  const proto::Attribute* attribute = argument(node, name, place);
  return attribute ? attribute->g.get() : nullptr;
}

Type unknown_if_null(const onnx::Value* value) { return value ? value->type : unknown_type(); }

// The type of a number that a loop hands to its body: without axes, unless the body says otherwise.
Type number(DType dtype, const proto::ValueInfo& input) {
  const bool said = input.type && input.type->shape;
  return {Type::Kind::tensor, dtype, said ? std::nullopt : std::optional(onnx::Shape{})};
}

Type without_axis(Type type, std::int64_t axis) {
  if (!type.shape) return type;
  const auto rank = static_cast<std::int64_t>(type.shape->size());
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank)
    type.shape.reset();
  else
    type.shape->erase(type.shape->begin() + at);
  return type;
}

Type element_of(Type type) {
  if (type.kind == Type::Kind::sequence) type.kind = Type::Kind::tensor;
  return type;
}

}  // namespace

bool Walk::control(onnx::Node& node, const proto::Node& from, const Scope& scope, const Place& place) {
  const bool fits = node.op == "If"     ? branches(node, from, scope, place)
                    : node.op == "Loop" ? loop(node, from, scope, place)
                    : node.op == "Scan" ? scan(node, from, scope, place)
                                        : map(node, from, scope, place);
  if (!fits) complain("subgraph", "its subgraphs do not fit its inputs and outputs");
  return fits;
}

bool Walk::branches(onnx::Node& node, const proto::Node& from, const Scope& scope, const Place& place) {
  const proto::Graph* graphs[] = {graph_of(from, "else_branch", place), graph_of(from, "then_branch", place)};
  onnx::Graph* walked[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!graphs[i]) return false;
    const onnx::Report::At at(report_, i == 0 ? "the else_branch" : "the then_branch");
    walked[i] = body(*graphs[i], {}, scope, place);
    if (walked[i]->outputs.size() != from.outputs.size()) return false;
  }
  const onnx::Value* condition = node.inputs[0];
  const bool decided = condition && condition->constant() && condition->dtype() == DType::boolean &&
                       condition->data->numel() == 1;
  const bool yes = decided && condition->data->integer(0) != 0;
  node.attributes = {{"else_branch", walked[decided && yes ? 1 : 0]},
                     {"then_branch", walked[decided && !yes ? 0 : 1]}};
  return true;
}

onnx::Graph* Walk::settled(const proto::Graph& graph, Types inputs, Carried carried, const Scope& scope,
                           const Place& place) {
  const onnx::Report::At at(report_, "the body");
  Place inside = place;
  ++inside.loops;
  std::set<std::pair<std::size_t, std::size_t>> open;  // sizes that change from step to step
  const auto widen = [&](std::size_t i, const Type& after) {
    Type& before = inputs[carried.first_input + i];
    if (before.kind == Type::Kind::unknown || !before.shape) return false;
    if (!after.shape || after.shape->size() != before.shape->size()) {
      before.shape.reset();
      return true;
    }
    bool changed = false;
    for (std::size_t axis = 0; axis < before.shape->size(); ++axis) {
      onnx::Dim& size = (*before.shape)[axis];
      if (model_.symbols().equal(size, (*after.shape)[axis]) == sym::Truth::yes) continue;
      if (!open.emplace(i, axis).second) continue;
      size = model_.symbols().symbol("carried", {0, std::nullopt});
      changed = true;
    }
    return changed;
  };
  for (int pass = 0; pass < kMaxPasses && place.loops < kMaxNestedPasses; ++pass) {
    onnx::Graph* walked = body(graph, inputs, scope, inside);
    bool changed = false;
    for (std::size_t i = 0; i < carried.count && carried.first_output + i < walked->outputs.size(); ++i)
      changed = widen(i, walked->outputs[carried.first_output + i]->type) || changed;
    if (!changed) return walked;
  }
  for (std::size_t i = 0; i < carried.count; ++i) inputs[carried.first_input + i].shape.reset();
  return body(graph, inputs, scope, inside);
}

bool Walk::loop(onnx::Node& node, const proto::Node& from, const Scope& scope, const Place& place) {
  const proto::Graph* graph = graph_of(from, "body", place);
  node.inputs.resize(std::max<std::size_t>(node.inputs.size(), 2), nullptr);
  const std::size_t carried = node.inputs.size() - 2;
  if (!graph || graph->inputs.size() != carried + 2 || graph->outputs.size() != from.outputs.size() + 1 ||
      carried > from.outputs.size())
    return false;
  Types inputs{number(DType::i64, graph->inputs[0]), number(DType::boolean, graph->inputs[1])};
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    if (!node.inputs[i]) return false;
    inputs.push_back(node.inputs[i]->type);
  }
  node.attributes.push_back({"body", settled(*graph, std::move(inputs), {carried, 2, 1}, scope, place)});
  return true;
}

bool Walk::scan(onnx::Node& node, const proto::Node& from, const Scope& scope, const Place& place) {
  const proto::Graph* graph = graph_of(from, "body", place);
  const auto* count = node.attribute_if<std::int64_t>("num_scan_inputs");
  if (!graph || !count || *count < 1 || static_cast<std::uint64_t>(*count) > node.inputs.size()) return false;
  const std::size_t states = node.inputs.size() - static_cast<std::size_t>(*count);
  if (graph->inputs.size() != node.inputs.size() || graph->outputs.size() != from.outputs.size() ||
      graph->outputs.size() < states)
    return false;
  const auto* axes = node.attribute_if<std::vector<std::int64_t>>("scan_input_axes");
  Types inputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Type type = unknown_if_null(node.inputs[i]);
    if (i >= states) type = without_axis(type, axes && i - states < axes->size() ? (*axes)[i - states] : 0);
    inputs.push_back(std::move(type));
  }
  node.attributes.push_back({"body", settled(*graph, std::move(inputs), {states, 0, 0}, scope, place)});
  return true;
}

bool Walk::map(onnx::Node& node, const proto::Node& from, const Scope& scope, const Place& place) {
  const proto::Graph* graph = graph_of(from, "body", place);
  if (!graph || graph->inputs.size() != node.inputs.size() || graph->outputs.size() != from.outputs.size())
    return false;
  Types inputs;
  for (const onnx::Value* input : node.inputs) inputs.push_back(element_of(unknown_if_null(input)));
  const onnx::Report::At at(report_, "the body");
  node.attributes.push_back({"body", body(*graph, inputs, scope, place)});
  return true;
}

// Its first form: every tensor had an axis of batches in front, and scanned ones the axis of steps behind it.
std::optional<Types> Walk::batched_scan(const proto::Node& from, const Values& inputs, const Scope& scope,
                                        const Place& place) {
  const proto::Graph* graph = graph_of(from, "body", place);
  const proto::Attribute* count = argument(from, "num_scan_inputs", place);
  const std::size_t given = inputs.empty() ? 0 : inputs.size() - 1;
  const auto scanned = static_cast<std::uint64_t>(count ? count->i.value_or(0) : 0);
  if (!graph || scanned < 1 || scanned > given || graph->inputs.size() != given ||
      graph->outputs.size() != from.outputs.size() || graph->outputs.size() < given - scanned) {
    complain("subgraph", "its subgraphs do not fit its inputs and outputs");
    return std::nullopt;
  }
  const std::size_t states = given - scanned;
  const auto& last = unknown_if_null(inputs.back()).shape;
  const bool sized = last && last->size() >= 2;
  const onnx::Dim batch = sized ? (*last)[0] : model_.symbols().symbol("batch");
  const onnx::Dim steps = sized ? (*last)[1] : model_.symbols().symbol("steps");
  Types types;
  for (std::size_t i = 0; i < given; ++i) {
    types.push_back(without_axis(unknown_if_null(inputs[i + 1]), 0));
    if (i >= states) types.back() = without_axis(types.back(), 0);
  }
  const onnx::Visible visible = visible_from_here();
  const onnx::Graph* walked = settled(*graph, std::move(types), {states, 0, 0}, scope, place);
  Types results;
  for (std::size_t i = 0; i < walked->outputs.size(); ++i) {
    Type type = walked->outputs[i]->type;
    if (type.shape) {
      for (onnx::Dim& dim : *type.shape)
        if (!visible(dim)) dim = model_.symbols().symbol("out", {0, std::nullopt});
      if (i >= states) type.shape->insert(type.shape->begin(), steps);
      type.shape->insert(type.shape->begin(), batch);
    }
    results.push_back(std::move(type));
  }
  return results;
}

}  // namespace cameo::model
