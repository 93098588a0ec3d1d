#include "model/simplify/rebuild.h"

#include <algorithm>

#include <fmt/format.h>

#include "cameo/diagnostic.h"
#include "model/infer/element_types.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/emit/tables.h"
#include "onnx/facts/facts.h"
#include "onnx/fold/fold.h"
#include "onnx/fold/view.h"
#include "onnx/graph/versions.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Value;

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::string key_of(std::string_view domain, std::string_view name) {
  return fmt::format("{}::{}", is_standard(domain) ? "" : domain, name);
}

bool has_graph(const proto::Node& node) {
  return node.op_type == "If" || node.op_type == "Loop" ||
         std::ranges::any_of(node.attributes, [](const proto::Attribute& attribute) {
           return attribute.g || !attribute.graphs.empty();
         });
}

bool all_constant(const Value* value) { return !value || value->constant(); }

// The formulas in a tensor whose axes are changed in a way that is known.
onnx::Elements rearranged(const onnx::Node& node) {
  if ((node.op != "Slice" && node.op != "Transpose") || !node.inputs[0] || !node.inputs[0]->elements ||
      !std::all_of(node.inputs.begin() + 1, node.inputs.end(), all_constant))
    return std::nullopt;
  onnx::Ints shape;
  for (const onnx::Dim& dim : *node.inputs[0]->type.shape) shape.push_back(*onnx::known(dim));
  const auto view = onnx::layout_view(node, onnx::contiguous_view(shape));
  if (!view) return std::nullopt;
  std::vector<onnx::Dim> elements;
  for (const std::int64_t at : onnx::positions(view->shape, view->strides, view->offset))
    elements.push_back((*node.inputs[0]->elements)[static_cast<std::size_t>(at)]);
  return elements;
}

}  // namespace

Rebuild::Rebuild(Opened& opened, const Arena& arena, Steps& steps, const SimplifyOptions& options,
                 Rebuilt& into)
    : opened_(opened),
      arena_(arena),
      steps_(steps),
      options_(options),
      into_(into),
      opset_(opened.opset()),
      formulas_(opset_ >= kMinOpset && opset_ <= kMaxOpset),
      lift_(opened, into.model.symbols()),
      emit_(into.model, onnx::downgrade(),
            {.opset = static_cast<int>(std::clamp<std::int64_t>(opset_, kMinOpset, kMaxOpset))}) {
  for (const proto::Function& function : opened.model.functions)
    functions_.insert(key_of(function.domain, function.name));
}

void Rebuild::run() {
  proto::Graph& graph = *opened_.model.graph;
  into_.graphs[&into_.model.main()] = &graph;
  count_reads(graph);
  Names names;
  main_inputs(names);
  initializers(graph, names);
  nodes(graph.nodes, names);
  outputs(graph, names);
}

void Rebuild::count_reads(const proto::Graph& graph) {
  for (const proto::ValueInfo& output : graph.outputs) ++reads_[output.name];
  for (const proto::Node& node : graph.nodes) {
    for (const std::string_view input : node.inputs) ++reads_[input];
    for (const proto::Attribute& attribute : node.attributes) {
      if (attribute.g) count_reads(*attribute.g);
      for (const proto::Graph& inner : attribute.graphs) count_reads(inner);
    }
  }
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
  const std::size_t outputs = source.outputs.size();
  const Understood node = understand(source, read, outputs);
  Values values;
  if (node.fidelity == onnx::Fidelity::exact)
    values = simplified(source, read.node, node.newest, node.results);
  if (values.empty()) {
    values = keep(source, read.node, node.results);
    if (node.fidelity == onnx::Fidelity::exact)
      if (const std::string key = reuse_key(node.newest, outputs); !key.empty())
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
  if (standard(source)) check_arguments(source, result.node);
  return result;
}

// Rules rely on it.
void Rebuild::check_arguments(const proto::Node& source, const onnx::Node& read) const {
  const onnx::facts::Operator* known = onnx::facts::find("", read.op, opset_);
  if (known ? known->deprecated : onnx::facts::versions("", read.op).empty()) return;
  bool there = known && !source.outputs.empty();
  const auto given = [&read](std::size_t i) { return i < read.inputs.size() && read.inputs[i] != nullptr; };
  for (std::size_t i = 0; there && i < known->inputs.size(); ++i) {
    if (known->inputs[i].arity == onnx::facts::Arity::single) there = there && given(i);
    if (known->inputs[i].arity == onnx::facts::Arity::variadic && !has_graph(source))
      for (std::size_t k = i; k < std::max(read.inputs.size(), i + known->inputs[i].minimum); ++k)
        there = there && given(k);
  }
  if (!there)
    throw Error(Diagnostic{.stage = Stage::read,
                           .code = "broken-node",
                           .message = fmt::format("{} '{}' lacks what it must have in opset {}",
                                                  source.op_type, source.name, opset_),
                           .file = opened_.file->name(),
                           .hint = "cameo check tells all that is wrong with it"});
}

bool Rebuild::fits(const proto::Node& source, const onnx::Node& read) const {
  const onnx::facts::Operator* known = onnx::facts::find("", read.op, opset_);
  return !known ||
         (misfit(source, *known).empty() && element_types(*known, read.inputs, source.outputs.size()).fit);
}

Rebuild::Understood Rebuild::understand(const proto::Node& source, const Read& read, std::size_t outputs) {
  if (standard(source) && read.whole && fits(source, read.node)) {
    try {
      Understood node{.newest = read.node};
      node.fidelity = onnx::upgrade(node.newest, opset_, outputs, *this);
      if (node.fidelity != onnx::Fidelity::none) {
        node.results = inferred(node.newest, outputs);
        if (node.fidelity == onnx::Fidelity::types)
          for (onnx::Inferred& result : node.results) result.elements.reset();
        return node;
      }
    } catch (const std::exception&) {  // what is wrong with the node is not for here to say
    }
  }
  return {.results = Results(outputs, {unknown_type(), std::nullopt})};
}

Rebuild::Results Rebuild::inferred(const onnx::Node& newest, std::size_t outputs) {
  Results results =
      onnx::infer(emit_.sym(), newest, outputs, [this](const onnx::Dim& dim) { return emit_.visible(dim); });
  if (outputs == 1 && !results.front().elements) results.front().elements = rearranged(newest);
  return results;
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
  const Results results = inferred(node, 1);
  if (const Values sizes = as_sizes(results); !sizes.empty()) return sizes.front();
  if (std::ranges::all_of(node.inputs, all_constant))
    if (const onnx::Folded folded = onnx::fold(node, {results.front().type}); !folded.empty())
      return emit_.constant(folded.front());
  return into_.model.add_value(results.front().type);  // good for its type, never read by a node
}

}  // namespace cameo::model
