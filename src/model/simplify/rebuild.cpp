#include "model/simplify/rebuild.h"

#include <algorithm>

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "onnx/fold/fold.h"
#include "onnx/opset/versions.h"
#include "onnx/tables.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Value;

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::int64_t standard_opset(const proto::Model& model) {
  for (const proto::OpsetImport& import : model.opset_imports)
    if (is_standard(import.domain)) return import.version.value_or(0);
  return 0;
}

std::string key_of(std::string_view domain, std::string_view name) {
  return fmt::format("{}::{}", is_standard(domain) ? "" : domain, name);
}

bool has_graph(const proto::Node& node) {
  return std::ranges::any_of(node.attributes, [](const proto::Attribute& attribute) {
    return attribute.g || !attribute.graphs.empty();
  });
}

bool all_constant(const Value* value) { return !value || value->constant(); }

}  // namespace

Rebuild::Rebuild(Opened& opened, const Arena& arena, Steps& steps, const SimplifyOptions& options,
                 Rebuilt& into)
    : opened_(opened),
      arena_(arena),
      steps_(steps),
      options_(options),
      into_(into),
      opset_(standard_opset(opened.model)),
      formulas_(opset_ >= onnx::kMinOpset && opset_ <= onnx::kMaxOpset),
      lift_(opened, into.model.symbols()),
      emit_(into.model,
            {.opset = static_cast<int>(std::clamp<std::int64_t>(opset_, onnx::kMinOpset, onnx::kMaxOpset))}) {
  for (const proto::Function& function : opened.model.functions)
    functions_.insert(key_of(function.domain, function.name));
}

void Rebuild::run() {
  proto::Graph& graph = *opened_.model.graph;
  into_.graphs[&into_.model.main()] = &graph;
  Names names;
  main_inputs(names);
  initializers(graph, names);
  nodes(graph.nodes, names);
  outputs(graph, names);
}

void Rebuild::nodes(std::vector<proto::Node>& list, Names& names) {
  for (proto::Node& source : list) {
    for (const std::string_view output : source.outputs) ++into_.defined[output];
    if (has_graph(source))
      control(source, names);
    else
      node(source, names);
  }
}

bool Rebuild::standard(const proto::Node& node) const {
  return is_standard(node.domain) && !functions_.contains(key_of(node.domain, node.op_type));
}

void Rebuild::node(proto::Node& source, Names& names) {
  const Read read = this->read(source, names);
  onnx::Node newest = read.node;
  const std::size_t outputs = source.outputs.size();
  const Fidelity fidelity =
      standard(source) && read.whole ? raise(newest, opset_, outputs, *this) : Fidelity::none;
  const Results results = inferred(newest, fidelity, outputs);
  Values values;
  if (fidelity == Fidelity::exact) values = simplified(source, read.node, newest, results);
  if (values.empty()) {
    values = keep(source, read.node, results);
    if (fidelity == Fidelity::exact)
      if (const std::string key = reuse_key(newest, outputs); !key.empty())
        equal_[emit_.scope()].emplace(key, values);
  }
  bind(source, values, names);
}

Rebuild::Read Rebuild::read(proto::Node& source, Names& names) {
  Read result;
  result.node.op = source.op_type;
  if (!is_standard(source.domain)) result.node.domain = source.domain;
  for (const std::string_view name : source.inputs)
    result.node.inputs.push_back(name.empty() ? nullptr : find(name, names));
  for (proto::Attribute& attribute : source.attributes) {
    if (attribute.g) {
      result.node.attributes.push_back(
          {std::string(attribute.name), subgraph(*attribute.g, result.node, names)});
    } else if (!attribute.graphs.empty()) {
      std::vector<onnx::Graph*> graphs;
      for (proto::Graph& graph : attribute.graphs) graphs.push_back(subgraph(graph, result.node, names));
      result.node.attributes.push_back({std::string(attribute.name), std::move(graphs)});
    } else if (auto lifted = lift_.attribute(attribute, nullptr)) {
      result.node.attributes.push_back(std::move(*lifted));
    } else {
      result.whole = false;
    }
  }
  return result;
}

Rebuild::Results Rebuild::inferred(const onnx::Node& newest, Fidelity fidelity, std::size_t outputs) {
  Results unknown;
  for (std::size_t i = 0; i < outputs; ++i) unknown.push_back({unknown_type(), std::nullopt});
  if (fidelity == Fidelity::none) return unknown;
  try {
    Results results = onnx::infer(emit_.sym(), newest, outputs,
                                  [this](const onnx::Dim& dim) { return emit_.visible(dim); });
    if (fidelity == Fidelity::types)
      for (onnx::Inferred& result : results) result.elements.reset();
    return results;
  } catch (const std::exception&) {
    return unknown;  // what is wrong with the node is not for here to say
  }
}

Rebuild::Values Rebuild::keep(proto::Node& source, const onnx::Node& read, const Results& results) {
  Values values = emit_.create(read, results);
  into_.nodes[emit_.scope()->nodes.back()] = {&source, read.attributes};
  return values;
}

void Rebuild::bind(const proto::Node& source, const Values& values, Names& names) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view name = i < source.outputs.size() ? source.outputs[i] : std::string_view();
    Value* value = values[i];
    if (name.empty()) {
      if (value->name.empty() && value->producer) into_.absent.insert(value);
      continue;
    }
    into_.absent.erase(value);
    names.values[name] = value;
    if (!value->name.empty() || value->symbolic()) continue;
    value->name = name;
    if (names.moved || (value->constant() && emit_.scope()->parent)) into_.moved.insert(value);
  }
}

Value* Rebuild::find(std::string_view name, const Names& names) const {
  for (const Names* scope = &names; scope != nullptr; scope = scope->outer)
    if (const auto found = scope->values.find(name); found != scope->values.end()) return found->second;
  throw Error(Diagnostic{.stage = Stage::read,
                         .code = "undefined-value",
                         .message = fmt::format("nothing in the graph defines '{}' before it is read", name),
                         .file = opened_.file->name(),
                         .hint = "cameo check tells all that is wrong with it"});
}

Value* Rebuild::op(std::string_view type, Values inputs, onnx::Attributes attributes) {
  onnx::Node node;
  node.op = type;
  node.inputs = std::move(inputs);
  node.attributes = std::move(attributes);
  const Results results = inferred(node, Fidelity::exact, 1);
  if (const Values sizes = as_sizes(results); !sizes.empty()) return sizes.front();
  if (std::ranges::all_of(node.inputs, all_constant))
    if (const onnx::Folded folded = onnx::fold(node, {results.front().type}); !folded.empty())
      return emit_.constant(folded.front());
  return into_.model.add_value(results.front().type);  // good for its type, never read by a node
}

}  // namespace cameo::model
