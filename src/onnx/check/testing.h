#pragma once
// Small models, for tests only: each test spoils a valid one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cameo/opset.h"
#include "onnx/check/check.h"

namespace cameo::onnx::testing {

inline proto::ValueInfo value(std::string_view name, int element = proto::kFloat) {
  proto::ValueInfo info;
  info.name = name;
  info.type.emplace();
  info.type->kind = proto::Type::Kind::tensor;
  info.type->element = element;
  info.type->shape.emplace();
  return info;
}

inline proto::Node node(std::string_view op, std::vector<proto::Text> inputs,
                        std::vector<proto::Text> outputs, std::string_view name = {}) {
  proto::Node made;
  made.op_type = op;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.name = name;
  return made;
}

inline proto::Attribute attribute(std::string_view name, std::int32_t type) {
  proto::Attribute made;
  made.name = name;
  made.type = type;
  return made;
}
inline proto::Attribute integer(std::string_view name, std::int64_t number) {
  proto::Attribute made = attribute(name, 2);
  made.i = number;
  return made;
}
inline proto::Attribute subgraph(std::string_view name, proto::Graph graph) {
  proto::Attribute made = attribute(name, 5);
  made.g = std::make_unique<proto::Graph>(std::move(graph));
  return made;
}

inline constexpr std::byte kZeros[64]{};

inline proto::Tensor tensor(std::string_view name, std::vector<std::int64_t> dims, std::size_t bytes,
                            std::int32_t type = proto::kFloat) {
  proto::Tensor made;
  made.name = name;
  made.data_type = type;
  made.dims = std::move(dims);
  made.raw_data = Bytes(kZeros, bytes);
  return made;
}

inline proto::OpsetImport import(std::string_view domain, std::int64_t version) {
  proto::OpsetImport made;
  made.domain = domain;
  made.version = version;
  return made;
}

// y = Relu(x + w)
inline proto::Model valid() {
  proto::Model model;
  model.ir_version = 8;
  model.opset_imports.push_back(import("", kDefaultOpset));
  model.graph.emplace();
  model.graph->name = "main";
  model.graph->inputs.push_back(value("x"));
  model.graph->outputs.push_back(value("y"));
  model.graph->initializers.push_back(tensor("w", {2}, 8));
  model.graph->nodes.push_back(node("Add", {"x", "w"}, {"sum"}, "add"));
  model.graph->nodes.push_back(node("Relu", {"sum"}, {"y"}));
  return model;
}

// y = If(c) with one node in each branch.
inline proto::Model branching() {
  proto::Model model = valid();
  model.graph->inputs.push_back(value("c", proto::kBool));
  proto::Node choose = node("If", {"c"}, {"y"}, "choose");
  for (const char* branch : {"then_branch", "else_branch"}) {
    proto::Graph graph;
    graph.name = branch;
    graph.nodes.push_back(
        node("Neg", {"sum"}, {branch == std::string_view("then_branch") ? "t" : "e"}, "negate"));
    graph.outputs.push_back(value(graph.nodes[0].outputs[0]));
    choose.attributes.push_back(subgraph(branch, std::move(graph)));
  }
  model.graph->nodes[1] = std::move(choose);
  return model;
}

// "code: message" of each fault, then its notes and hint; warnings start with "warning ".
inline std::vector<std::string> faults(const proto::Model& model, const CheckOptions& options = {}) {
  std::vector<std::string> all;
  for (const Fault& fault : check(model, options)) {
    const Diagnostic& d = fault.diagnostic;
    std::string text =
        (d.severity == Severity::warning ? "warning " : "") + std::string(name(d.code)) + ": " + d.message;
    for (const std::string& note : d.notes) text += " | " + note;
    if (!d.hint.empty()) text += " | " + d.hint;
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace cameo::onnx::testing
