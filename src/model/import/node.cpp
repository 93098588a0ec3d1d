#include <algorithm>

#include <fmt/core.h>

#include "model/import/element_types.h"
#include "model/import/importer.h"
#include "onnx/fold/fold.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
namespace proto = onnx::proto;
using onnx::Fidelity;
using onnx::Inferred;
using onnx::Type;

constexpr std::int64_t kMostFolded = 4096;  // elements of a constant that is computed, and of those it needs

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

bool has_subgraphs(const facts::Operator& op) {
  return std::ranges::any_of(op.attributes,
                             [](const facts::Attribute& a) { return a.kind == facts::Kind::graph; });
}

bool small_constants(const onnx::Node& node) {
  return std::ranges::all_of(node.inputs, [](const onnx::Value* input) {
    return !input || (input->constant() && input->data->numel() <= kMostFolded);
  });
}

bool small_results(const std::vector<Inferred>& results) {
  return std::ranges::all_of(results, [](const Inferred& result) {
    const auto total = result.type.shape ? onnx::product(*result.type.shape) : std::nullopt;
    return total && *total <= kMostFolded;
  });
}

}  // namespace

std::vector<onnx::DataPtr> fold_small(const onnx::Node& node, const std::vector<Inferred>& results) {
  if (node.op == "Constant") {
    const auto* value = node.attribute_if<onnx::DataPtr>("value");
    return value ? std::vector{*value} : std::vector<onnx::DataPtr>();
  }
  if (node.inputs.empty() || !small_constants(node) || !small_results(results)) return {};
  Types types;
  for (const Inferred& result : results) types.push_back(result.type);
  return onnx::fold(node, types);
}

onnx::Value* Importer::resolve(std::string_view name, const Scope& scope) {
  const auto found = scope.find(name);
  return found ? *found : client_.undefined(name);
}

void Importer::bind(const proto::Node& source, const Values& values, Scope& scope) {
  for (std::size_t i = 0; i < std::min(values.size(), source.outputs.size()); ++i)
    if (values[i] && !source.outputs[i].empty()) scope.add(source.outputs[i], values[i]);
  client_.bound(source, values, scope);
}

bool holds_foreign(const proto::Node& node) {
  const bool known = is_standard(node.domain) && !facts::versions({}, node.op_type).empty();
  bool foreign = false;
  proto::each_subgraph(node, [&](const proto::Graph& inner) {
    foreign = foreign || !known || std::ranges::any_of(inner.nodes, holds_foreign);
  });
  return foreign;
}

void Importer::node(proto::Node& source, Scope& scope, const Place& place) {
  ImportedNode node{.source = source};
  node.read.op = source.op_type;
  if (!is_standard(source.domain)) node.read.domain = source.domain;
  for (const proto::Text name : source.inputs)
    node.read.inputs.push_back(name.empty() ? nullptr : resolve(name, scope));
  node.results.assign(source.outputs.size(), {unknown_type(), std::nullopt});
  proto::Function* function = find_function(source);
  node.function = function;
  if (policy_.foreign_whole && holds_foreign(source)) {
    attributes(node, place);
  } else if (function && policy_.functions == ImportPolicy::Functions::enter) {
    call(node, *function, place);
  } else {
    if (!function && inline_branch(node, scope, place)) return;
    node.opset = place.imports->version(source.domain).value_or(0);
    node.op = function ? nullptr : find_operator(source, node.opset);
    understand(node, scope, place);
  }
  bind(source, client_.node(node, scope), scope);
}

// Early tools wrote operators below the opset that introduced them. Such a node has the types of the first version.
const facts::Operator* Importer::find_operator(const proto::Node& source, std::int64_t opset) const {
  const facts::Domain* domain = facts::find_domain(source.domain);
  if (!domain || opset > domain->newest) return nullptr;
  const facts::Operator* op = facts::find(source.domain, source.op_type, opset);
  const auto all = facts::versions(source.domain, source.op_type);
  if (!op && opset > 0 && !all.empty()) op = &all.front();
  return op && !op->deprecated ? op : nullptr;
}

void Importer::understand(ImportedNode& node, const Scope& scope, const Place& place) {
  node.newest = node.read;
  const Lifted lifted = attributes(node, place);
  if (!node.op) return other_subgraphs(node, scope, place);
  const ElementTypes elements = element_types(*node.op, node.read.inputs, node.source.outputs.size());
  if (!elements.fit) fault(Code::input_type, "its inputs are of types that it does not take");
  for (std::size_t i = 0; i < elements.results.size(); ++i) node.results[i].type = elements.results[i];
  const std::string why = misfit(node.source, *node.op);
  node.fits = elements.fit && why.empty();
  const bool subgraphs = has_subgraphs(*node.op);
  const auto results = subgraphs ? count_results(node, place) : node.results.size();
  node.subgraphs_fit = results.has_value();
  if (results) node.results.resize(*results, {unknown_type(), std::nullopt});
  if (!why.empty()) {
    fault(Code::faulty_node, why);
    return other_subgraphs(node, scope, place);
  }
  if (const auto type = special(node, place)) {
    node.results.front().type = *type;
    return;
  }
  const onnx::Visible visible = client_.visible();
  if (subgraphs && (!results || *results != node.source.outputs.size()))
    fault(Code::subgraph, "its subgraphs do not fit its inputs and outputs");
  if (subgraphs && (!results || !control(node, scope, place))) return other_subgraphs(node, scope, place);
  if (node.fidelity == Fidelity::none && lifted.all_needed)
    infer(node, *results, lifted.all && node.op->since <= node.opset ? Fidelity::exact : Fidelity::types,
          visible);
}

void Importer::infer(ImportedNode& node, std::size_t results, Fidelity most, const onnx::Visible& visible) {
  try {
    Fidelity fidelity = Fidelity::types;
    const std::int64_t opset = std::max<std::int64_t>(node.opset, node.op->since);
    if (node.op->domain == "ai.onnx")
      fidelity = std::max(onnx::upgrade(node.newest, opset, results, client_), most);
    if (fidelity == Fidelity::none || !onnx::can_infer(node.newest)) return;
    std::vector<Inferred> inferred = onnx::infer(lift_.symbols(), node.newest, results, visible);
    for (std::size_t i = 0; i < inferred.size(); ++i) {
      if (i < node.results.size())
        inferred[i].type = completed(std::move(inferred[i].type), node.results[i].type);
      if (fidelity != Fidelity::exact) inferred[i].elements.reset();
    }
    node.results = std::move(inferred);
    const bool folds = policy_.fold == ImportPolicy::Fold::small && fidelity == Fidelity::exact && node.fits;
    if (folds) node.data = fold_small(node.newest, node.results);
    node.fidelity = fidelity;
  } catch (const Error& error) {
    fault(error.diagnostics().front().code, error.diagnostics().front().message);
  } catch (const std::exception& error) {
    fault(Code::faulty_node, fmt::format("its inputs and attributes do not go together ({})", error.what()));
  }
}

// The type of a constant that the graph cannot hold, and of an optional that holds nothing.
std::optional<Type> Importer::special(const ImportedNode& node, const Place& place) {
  const auto given = [&](std::string_view name) { return argument(node.source, name, place); };
  const auto strings = [](onnx::Shape shape) {
    return Type{Type::Kind::tensor, DType::str, std::move(shape)};
  };
  if (node.source.op_type == "Constant") {
    if (const auto* value = given("value"); value && value->t && !node.read.attribute("value"))
      return lift_.type(*value->t);
    if (given("value_string")) return strings({});
    if (const auto* value = given("value_strings")) return strings({std::ssize(value->strings)});
    const auto* sparse = given("sparse_value");
    if (!sparse || !sparse->sparse_tensor || !sparse->sparse_tensor->values) return std::nullopt;
    return lift_.type(*sparse->sparse_tensor);
  }
  const proto::Node& source = node.source;
  if (source.op_type != "Optional" || (!source.inputs.empty() && !source.inputs[0].empty()))
    return std::nullopt;
  const auto* type = given("type");
  if (!type || !type->tp) return unknown_type();
  Type held = lift_.type(*type->tp, source.outputs[0]);
  if (held.kind == Type::Kind::tensor)
    held.kind = Type::Kind::optional;
  else if (held.kind == Type::Kind::sequence)
    held.kind = Type::Kind::optional_sequence;
  else
    return unknown_type();
  return held;
}

Importer::Lifted Importer::attributes(ImportedNode& node, const Place& place) {
  Lifted lifted;
  for (proto::Attribute& each : node.source.attributes) {
    const proto::Attribute* given = argument(each, place);
    if (!given && place.function) continue;  // the call leaves it out
    if (given && (given->g || !given->graphs.empty())) continue;
    const facts::Attribute* known = node.op ? node.op->attribute(each.name) : nullptr;
    auto attribute = given ? lift_.attribute(*given, nullptr) : std::nullopt;
    if (attribute) {
      attribute->name = each.name;
      if (known) node.newest.attributes.push_back(*attribute);
      node.read.attributes.push_back(std::move(*attribute));
    }
    if (!known || attribute) continue;
    lifted.all = false;
    if (known->kind != facts::Kind::type) lifted.all_needed = false;
  }
  return lifted;
}

}  // namespace cameo::model
