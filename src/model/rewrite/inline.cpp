#include "model/rewrite/inline.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/core.h>

#include "onnx/check/context.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using proto::Text;

onnx::FunctionKey key_of(const proto::Node& node) {
  return {onnx::Imports::key(node.domain), node.op_type, node.overload};
}

onnx::Imports imports_of(const std::vector<proto::OpsetImport>& list) {
  onnx::Imports imports;
  for (const proto::OpsetImport& import : list) imports.add(import.domain, import.version.value_or(0));
  return imports;
}

proto::Node identity(Text from, Text to) {
  proto::Node node;
  node.op_type = "Identity";
  node.inputs = {from};
  node.outputs = {to};
  return node;
}

// The body of a function with the names and attributes of one call.
class Body {
 public:
  Body(const proto::Function& function, const proto::Node& call, Names& names)
      : function_(function), call_(call), names_(names) {
    for (const proto::Attribute& attribute : function.attribute_defaults)
      given_.insert_or_assign(attribute.name, &attribute);
    for (const proto::Attribute& attribute : call.attributes)
      given_.insert_or_assign(attribute.name, &attribute);
  }

  std::vector<proto::Node> nodes() {
    Renamed renamed;
    for (std::size_t i = 0; i < function_.inputs.size(); ++i)
      renamed.insert_or_assign(function_.inputs[i], i < call_.inputs.size() ? call_.inputs[i] : Text(""));
    std::vector<proto::Node> result, copies;
    for (std::size_t i = 0; i < std::min(function_.outputs.size(), call_.outputs.size()); ++i) {
      if (call_.outputs[i].empty()) continue;
      const auto [known, added] = renamed.try_emplace(function_.outputs[i], call_.outputs[i]);
      if (!added) copies.push_back(identity(known->second, call_.outputs[i]));
    }
    for (const proto::Node& node : function_.nodes) define(node.outputs, renamed);
    for (const proto::Node& node : function_.nodes) result.push_back(made(node, renamed));
    std::ranges::move(copies, std::back_inserter(result));
    return result;
  }

 private:
  using Renamed = std::unordered_map<Text, Text>;

  void define(const std::vector<Text>& values, Renamed& renamed) {
    for (const Text value : values)
      if (!value.empty() && !renamed.contains(value)) renamed.emplace(value, fresh(value));
  }
  Text fresh(Text name) { return names_.fresh(fmt::format("{}/{}", call_.name, name)); }

  proto::Node made(const proto::Node& source, const Renamed& renamed) {
    proto::Node node = source;
    for (std::vector<Text>* values : {&node.inputs, &node.outputs})
      for (Text& value : *values)
        if (const auto found = renamed.find(value); found != renamed.end()) value = found->second;
    if (!node.name.empty()) node.name = fresh(node.name);
    if (node.metadata.empty()) node.metadata = call_.metadata;
    settle(node);
    proto::each_subgraph(node, [&](proto::Graph& graph) { rename(graph, renamed); });
    return node;
  }

  // Attributes that refer to attributes of the function get the values of the call.
  void settle(proto::Node& node) {
    std::vector<proto::Attribute> settled;
    for (proto::Attribute& attribute : node.attributes) {
      if (attribute.ref_attr_name.empty()) {
        settled.push_back(std::move(attribute));
      } else if (const auto found = given_.find(attribute.ref_attr_name); found != given_.end()) {
        settled.push_back(*found->second);
        settled.back().name = attribute.name;
      }
    }
    node.attributes = std::move(settled);
  }

  void rename(proto::Graph& graph, Renamed renamed) {
    const auto define_own = [&](Text& name) {
      if (name.empty()) return;
      name = renamed.insert_or_assign(name, fresh(name)).first->second;
    };
    for (proto::ValueInfo& input : graph.inputs) define_own(input.name);
    for (proto::Tensor& tensor : graph.initializers) define_own(tensor.name);
    for (proto::SparseTensor& tensor : graph.sparse_initializers)
      if (tensor.values) define_own(tensor.values->name);
    for (const proto::Node& node : graph.nodes)
      for (const Text output : node.outputs)
        if (!output.empty()) renamed.insert_or_assign(output, fresh(output));
    for (proto::Node& node : graph.nodes) node = made(node, renamed);
    for (std::vector<proto::ValueInfo>* infos : {&graph.outputs, &graph.value_infos})
      for (proto::ValueInfo& info : *infos)
        if (const auto found = renamed.find(info.name); found != renamed.end()) info.name = found->second;
  }

  const proto::Function& function_;
  const proto::Node& call_;
  Names& names_;
  std::map<Text, const proto::Attribute*> given_;
};

class Inliner {
 public:
  Inliner(proto::Model& model, Names& names)
      : model_(model), names_(names), imports_(imports_of(model.opset_imports)) {
    for (const proto::Function& function : model.functions)
      functions_.emplace(
          onnx::FunctionKey(onnx::Imports::key(function.domain), function.name, function.overload),
          &function);
  }

  void run() {
    nodes(model_.graph->nodes);
    std::set<onnx::FunctionKey> called;
    collect_calls(model_.graph->nodes, called);
    std::vector<proto::Function> kept;
    for (proto::Function& function : model_.functions)
      if (called.contains({onnx::Imports::key(function.domain), function.name, function.overload}))
        kept.push_back(std::move(function));
    model_.functions = std::move(kept);
  }

 private:
  void nodes(std::vector<proto::Node>& list) {
    std::vector<proto::Node> result;
    for (proto::Node& node : list) {
      proto::each_subgraph(node, [this](proto::Graph& graph) { nodes(graph.nodes); });
      const auto found = functions_.find(key_of(node));
      if (found == functions_.end() || !fits(*found->second) || !around_.insert(found->second).second) {
        result.push_back(std::move(node));
        continue;
      }
      std::vector<proto::Node> body = Body(*found->second, node, names_).nodes();
      nodes(body);
      std::ranges::move(body, std::back_inserter(result));
      around_.erase(found->second);
    }
    list = std::move(result);
  }

  // Whether the nodes of the body mean the same among the model's own.
  bool fits(const proto::Function& function) {
    const auto [known, added] = fits_.try_emplace(&function, true);
    if (!added) return known->second;
    const onnx::Imports own = imports_of(function.opset_imports);
    bool all = true;
    proto::each_node(function.nodes, [&](const proto::Node& node) {
      if (functions_.contains(key_of(node))) return;
      const auto inside = own.version(node.domain), outside = imports_.version(node.domain);
      if (inside && inside == outside) return;
      const auto* op = inside ? onnx::facts::find(node.domain, node.op_type, *inside) : nullptr;
      if (!op || !outside || op != onnx::facts::find(node.domain, node.op_type, *outside)) all = false;
    });
    return fits_[&function] = all;
  }

  void collect_calls(const std::vector<proto::Node>& list, std::set<onnx::FunctionKey>& called) {
    proto::each_node(list, [&](const proto::Node& node) {
      const auto found = functions_.find(key_of(node));
      if (found != functions_.end() && called.insert(found->first).second)
        collect_calls(found->second->nodes, called);
    });
  }

  proto::Model& model_;
  Names& names_;
  onnx::Imports imports_;
  std::map<onnx::FunctionKey, const proto::Function*> functions_;
  std::map<const proto::Function*, bool> fits_;
  std::set<const proto::Function*> around_;  // functions whose body is being inlined
};

}  // namespace

void inline_functions(proto::Model& model, Names& names) {
  if (!model.functions.empty()) Inliner(model, names).run();
}

}  // namespace cameo::model
