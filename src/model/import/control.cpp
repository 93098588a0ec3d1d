#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "model/import/importer.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Type;

constexpr int kMostPasses = 4;        // over a body, before the shapes of the values it carries are given up
constexpr int kMostNestedPasses = 3;  // nested loops with more than one pass
constexpr std::int64_t kFirstUnbatchedScan = 9;  // opset

Type type_of(const onnx::Value* value) { return value ? value->type : unknown_type(); }

// The type of a number that Loop passes to its body: a scalar, unless the body declares a shape.
Type number(DType dtype, const proto::ValueInfo& input) {
  const bool declared = input.type && input.type->shape;
  return {Type::Kind::tensor, dtype, declared ? std::nullopt : std::optional(onnx::Shape{})};
}

Type without_axis(Type type, std::int64_t axis) {
  if (!type.shape) return type;
  const auto rank = std::ssize(*type.shape);
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

std::optional<bool> known_condition(const onnx::Value* value) {
  if (!value || !value->constant() || value->dtype() != DType::boolean || value->data->numel() != 1)
    return std::nullopt;
  return value->data->integer(0) != 0;
}

// Scan has a batch axis, and its first input is the lengths of the sequences.
bool is_batched_scan(const ImportedNode& node) {
  return node.read.op == "Scan" && node.opset < kFirstUnbatchedScan;
}

// The inputs of Scan that it passes to the body.
std::size_t passed_inputs(const ImportedNode& node) {
  const std::size_t inputs = node.read.inputs.size();
  return is_batched_scan(node) && inputs > 0 ? inputs - 1 : inputs;
}

// The number of inputs that are not scanned; absent if the attribute is not valid.
std::optional<std::size_t> state_count(const ImportedNode& node) {
  const auto* scanned = node.read.attribute_if<std::int64_t>("num_scan_inputs");
  const std::size_t passed = passed_inputs(node);
  if (!scanned || *scanned < 1 || static_cast<std::uint64_t>(*scanned) > passed) return std::nullopt;
  return passed - static_cast<std::size_t>(*scanned);
}

void add_subgraph(ImportedNode& node, std::string_view name, onnx::Graph* graph) {
  node.read.attributes.push_back({std::string(name), graph});
  node.newest.attributes.push_back({std::string(name), graph});
}

}  // namespace

bool Importer::inline_branch(const ImportedNode& node, Scope& scope, const Place& place) {
  const onnx::Node& read = node.read;
  if (read.op != "If" || !read.domain.empty() || read.inputs.size() != 1) return false;
  const auto condition = known_condition(read.inputs[0]);
  proto::Graph* branch =
      condition ? graph_of(node.source, *condition ? "then_branch" : "else_branch", place) : nullptr;
  const std::size_t outputs = node.source.outputs.size();
  if (!branch || branch->outputs.size() < outputs || !client_.inlines(*branch)) return false;
  Scope inner(&scope, scope.graph(), true);
  initializers(*branch, inner);
  if (policy_.declared_types) inner.declare(*branch);
  nodes(branch->nodes, inner, place);
  Values values;
  for (std::size_t i = 0; i < outputs; ++i) values.push_back(resolve(branch->outputs[i].name, inner));
  bind(node.source, values, scope);
  return true;
}

std::optional<std::size_t> Importer::count_results(const ImportedNode& node, const Place& place) const {
  const std::size_t outputs = node.source.outputs.size(), inputs = node.read.inputs.size();
  if (node.read.op == "If") {
    const proto::Graph *yes = graph_of(node.source, "then_branch", place),
                       *no = graph_of(node.source, "else_branch", place);
    if (!yes || !no || inputs != 1 || yes->outputs.size() != no->outputs.size() ||
        yes->outputs.size() < outputs)
      return std::nullopt;
    return yes->outputs.size();
  }
  const proto::Graph* body = graph_of(node.source, "body", place);
  if (!body) return std::nullopt;
  const std::size_t results = body->outputs.size();
  if (node.read.op == "Loop") {
    if (body->inputs.size() != std::max<std::size_t>(inputs, 2) || results < outputs + 1 ||
        results + 1 < body->inputs.size())
      return std::nullopt;
    return results - 1;
  }
  bool fits = results >= outputs && body->inputs.size() == passed_inputs(node);
  if (node.read.op == "Scan") fits = fits && state_count(node) && results >= *state_count(node);
  return fits ? std::optional(results) : std::nullopt;
}

bool Importer::control(ImportedNode& node, const Scope& scope, const Place& place) {
  if (node.read.op == "If")
    branches(node, scope, place);
  else if (node.read.op == "Loop")
    return loop(node, scope, place);
  else if (is_batched_scan(node))
    batched_scan(node, scope, place);
  else if (node.read.op == "Scan")
    scan(node, scope, place);
  else
    sequence_map(node, scope, place);
  return true;
}

void Importer::branches(ImportedNode& node, const Scope& scope, const Place& place) {
  onnx::Graph *yes = nullptr, *no = nullptr;
  for (proto::Attribute& each : node.source.attributes) {
    if (each.name != "then_branch" && each.name != "else_branch") continue;
    const onnx::Report::At at(report_, fmt::format("the {}", each.name));
    onnx::Graph* made = body(*argument(each, place)->g, {}, scope, place);
    (each.name == "then_branch" ? yes : no) = made;
    node.read.attributes.push_back({std::string(each.name), made});
  }
  const auto condition = known_condition(node.read.inputs[0]);
  node.newest.attributes = {{"else_branch", condition == true ? yes : no},
                            {"then_branch", condition == false ? no : yes}};
}

onnx::Graph* Importer::iterated(proto::Graph& graph, Types inputs, Carried carried, const Scope& scope,
                                const Place& place) {
  const onnx::Report::At at(report_, "the body");
  Place inside = place;
  ++inside.loops;
  if (policy_.bodies == ImportPolicy::Bodies::once) return body(graph, inputs, scope, inside);
  sym::Context& symbols = lift_.symbols();
  std::set<std::pair<std::size_t, std::size_t>> open;  // sizes that change from one iteration to the next
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
      if (symbols.equal(size, (*after.shape)[axis]) == sym::Truth::yes) continue;
      if (!open.emplace(i, axis).second) continue;
      size = symbols.symbol("carried", {0, std::nullopt});
      changed = true;
    }
    return changed;
  };
  for (int pass = 0; pass < kMostPasses && place.loops < kMostNestedPasses; ++pass) {
    onnx::Graph* made = body(graph, inputs, scope, inside);
    bool changed = false;
    for (std::size_t i = 0; i < carried.count && carried.first_output + i < made->outputs.size(); ++i)
      changed = widen(i, made->outputs[carried.first_output + i]->type) || changed;
    if (!changed) return made;
  }
  for (std::size_t i = 0; i < carried.count; ++i) inputs[carried.first_input + i].shape.reset();
  return body(graph, inputs, scope, inside);
}

bool Importer::loop(ImportedNode& node, const Scope& scope, const Place& place) {
  proto::Graph& graph = *graph_of(node.source, "body", place);
  for (onnx::Node* form : {&node.read, &node.newest})
    form->inputs.resize(std::max<std::size_t>(form->inputs.size(), 2), nullptr);
  const Values& given = node.read.inputs;
  Types inputs{number(DType::i64, graph.inputs[0]), number(DType::boolean, graph.inputs[1])};
  for (std::size_t i = 2; i < given.size(); ++i) inputs.push_back(type_of(given[i]));
  if (std::find(given.begin() + 2, given.end(), nullptr) != given.end()) {
    fault(Code::subgraph, "its subgraphs do not fit its inputs and outputs");
    return false;
  }
  add_subgraph(node, "body", iterated(graph, std::move(inputs), {given.size() - 2, 2, 1}, scope, place));
  return true;
}

void Importer::scan(ImportedNode& node, const Scope& scope, const Place& place) {
  const std::size_t states = *state_count(node);
  const auto* axes = node.read.attribute_if<std::vector<std::int64_t>>("scan_input_axes");
  Types inputs;
  for (std::size_t i = 0; i < node.read.inputs.size(); ++i) {
    Type type = type_of(node.read.inputs[i]);
    if (i >= states) type = without_axis(type, axes && i - states < axes->size() ? (*axes)[i - states] : 0);
    inputs.push_back(std::move(type));
  }
  proto::Graph& graph = *graph_of(node.source, "body", place);
  add_subgraph(node, "body", iterated(graph, std::move(inputs), {states, 0, 0}, scope, place));
}

void Importer::sequence_map(ImportedNode& node, const Scope& scope, const Place& place) {
  Types inputs;
  for (const onnx::Value* input : node.read.inputs) inputs.push_back(element_of(type_of(input)));
  const onnx::Report::At at(report_, "the body");
  add_subgraph(node, "body", body(*graph_of(node.source, "body", place), inputs, scope, place));
}

// All tensors have a batch axis in front, and scanned ones the axis of the steps behind it. No newer form of
// Scan computes the same: only the types of the results are known.
void Importer::batched_scan(ImportedNode& node, const Scope& scope, const Place& place) {
  const Values& given = node.read.inputs;
  const std::size_t states = *state_count(node);
  const auto last = type_of(given.back()).shape;
  const bool sized = last && last->size() >= 2;
  sym::Context& symbols = lift_.symbols();
  const onnx::Dim batch = sized ? (*last)[0] : symbols.symbol("batch");
  const onnx::Dim steps = sized ? (*last)[1] : symbols.symbol("steps");
  Types types;
  for (std::size_t i = 0; i + 1 < given.size(); ++i) {
    types.push_back(without_axis(type_of(given[i + 1]), 0));
    if (i >= states) types.back() = without_axis(types.back(), 0);
  }
  const onnx::Visible visible = client_.visible();
  proto::Graph& graph = *graph_of(node.source, "body", place);
  onnx::Graph* made = iterated(graph, std::move(types), {states, 0, 0}, scope, place);
  add_subgraph(node, "body", made);
  node.results.resize(made->outputs.size());
  for (std::size_t i = 0; i < made->outputs.size(); ++i) {
    Type type = made->outputs[i]->type;
    if (type.shape) {
      for (onnx::Dim& dim : *type.shape)
        if (!visible(dim)) dim = symbols.symbol("out", {0, std::nullopt});
      if (i >= states) type.shape->insert(type.shape->begin(), steps);
      type.shape->insert(type.shape->begin(), batch);
    }
    node.results[i].type = std::move(type);
  }
}

void Importer::other_subgraphs(ImportedNode& node, const Scope& scope, const Place& place) {
  if (!policy_.subgraphs_of_unknown) return;
  for (proto::Attribute& each : node.source.attributes) {
    proto::Attribute* given = argument(each, place);
    if (!given || node.read.attribute(each.name)) continue;
    const onnx::Report::At at(report_, fmt::format("the {}", each.name));
    if (given->g) {
      add_subgraph(node, each.name, body(*given->g, {}, scope, place));
    } else if (!given->graphs.empty()) {
      std::vector<onnx::Graph*> graphs;
      for (proto::Graph& graph : given->graphs) graphs.push_back(body(graph, {}, scope, place));
      node.read.attributes.push_back({std::string(each.name), std::move(graphs)});
    }
  }
}

}  // namespace cameo::model
