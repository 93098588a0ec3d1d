#include "model/cast/planner.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/half.h"
#include "base/side_by_side.h"
#include "base/text.h"
#include "model/graph/links.h"
#include "model/rewrite/tensors.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
namespace proto = onnx::proto;
using onnx::Type;

float rounded(double number, DType to) {
  const auto single = static_cast<float>(number);
  if (to == DType::f16) return Half(single);
  if (to == DType::bf16) return BFloat16(single);
  return single;
}

// Operators whose result has the shape that the input says, but not numbers that depend on it.
bool fills(std::string_view op) { return op == "ConstantOfShape" || op.starts_with("Random"); }

onnx::Imports imports_of(const proto::Model& model) {
  onnx::Imports imports;
  for (const proto::OpsetImport& import : model.opset_imports)
    imports.add(import.domain, import.version.value_or(0));
  return imports;
}

}  // namespace

std::string_view type_attribute(std::string_view op) {
  if (op == "Cast") return "to";
  if (op == "HannWindow" || op == "HammingWindow" || op == "BlackmanWindow" || op == "MelWeightMatrix")
    return "output_datatype";
  constexpr std::string_view kTyped[] = {"RandomNormal",      "RandomUniform", "RandomNormalLike",
                                         "RandomUniformLike", "Bernoulli",     "EyeLike",
                                         "SequenceEmpty"};
  return std::ranges::find(kTyped, op) == std::end(kTyped) ? "" : "dtype";
}

CastPlanner::CastPlanner(Opened& opened, const CastOptions& options, Kept& keep, Lift& lift)
    : opened_(opened),
      options_(options),
      keep_(keep),
      lift_(lift),
      to_(onnx::from_onnx(static_cast<int>(options.to)).value_or(DType::undefined)),
      imports_(imports_of(opened.model)),
      types_(opened, false) {
  std::vector<ElementType> from = options.from;
  if (from.empty()) from = {ElementType::f16, ElementType::bf16, ElementType::f32};
  for (const ElementType type : from)
    if (type != options.to)
      from_.push_back(onnx::from_onnx(static_cast<int>(type)).value_or(DType::undefined));
}

void CastPlanner::run() {
  types_.run();
  measure(*opened_.model.graph);
  plan_all();
  if (!torn_) return;
  sequences_ = false;
  plan_all();
}

void CastPlanner::plan_all() {
  scopes_.clear();
  by_graph_.clear();
  plans_.clear();
  graph(*opened_.model.graph, nullptr, false, !options_.keep_io);
}

// ---- constants

void CastPlanner::measure(const proto::Graph& graph) {
  std::vector<std::pair<const proto::Tensor*, onnx::DataPtr>> all;
  const auto add = [&](const proto::Tensor& tensor) {
    if (converts(lift_.type(tensor))) all.emplace_back(&tensor, elements_of(tensor, lift_));
  };
  for (const proto::Tensor& tensor : graph.initializers) add(tensor);
  for (const proto::Node& node : graph.nodes) {
    for (const proto::Attribute& attribute : node.attributes)
      if (attribute.t) add(*attribute.t);
    proto::each_subgraph(node, [this](const proto::Graph& inner) { measure(inner); });
  }
  std::vector<Magnitudes> found(all.size());
  side_by_side(all.size(), [&](std::size_t i, std::size_t) { found[i] = magnitudes(*all[i].second); });
  for (std::size_t i = 0; i < all.size(); ++i) judge(*all[i].first, *all[i].second, found[i]);
}

void CastPlanner::judge(const proto::Tensor& tensor, const onnx::Data& data, const Magnitudes& found) {
  smallest_[&tensor] = found.smallest;
  const bool overflows = std::isinf(rounded(found.largest, to_));
  const bool vanishes = data.numel() == 1 && found.largest != 0 && rounded(found.largest, to_) == 0;
  if (!overflows && !vanishes) return;
  beyond_.emplace(
      &tensor,
      Diagnostic{.severity = Severity::warning,
                 .code = Code::beyond_range,
                 .message = fmt::format("the constant '{}' holds {:.4g}, which is {} in {}; it and the nodes "
                                        "that read it stay {}",
                                        printable(tensor.name), found.largest, overflows ? "infinite" : "0",
                                        name(to_), name(data.dtype())),
                 .file = opened_.file->name()});
}

std::vector<Diagnostic> CastPlanner::take_warnings() {
  std::vector<Diagnostic> warnings;
  for (auto& [tensor, diagnostic] : beyond_) warnings.push_back(std::move(diagnostic));
  std::ranges::sort(warnings, {}, &Diagnostic::message);
  return warnings;
}

void CastPlanner::want(CastValue& value, DType type) {
  if (!value.constant) return;
  if (type == to_) value.wanted_new = true;
  if (type == value.type.dtype) value.wanted_old = true;
}

// ---- graphs

bool CastPlanner::converts(const Type& type) const {
  if (std::ranges::find(from_, type.dtype) == from_.end()) return false;
  return type.kind == Type::Kind::tensor || (sequences_ && type.kind != Type::Kind::unknown);
}

DType CastPlanner::required(const CastScope& scope, const CastValue& value) const {
  return scope.converts && converts(value.type) ? to_ : value.type.dtype;
}

CastScope& CastPlanner::graph(proto::Graph& graph, CastScope* outer, bool kept, bool converts) {
  CastScope& scope =
      scopes_.emplace_back(CastScope{.graph = graph, .outer = outer, .kept = kept, .converts = converts});
  by_graph_[&graph] = &scope;
  add_values(scope);
  for (proto::Node& each : graph.nodes) node(each, scope);
  outputs(scope);
  return scope;
}

void CastPlanner::add_values(CastScope& scope) {
  const auto add = [&](std::string_view name, Type type) -> CastValue& {
    CastValue value{.type = std::move(type), .now = {}, .name = name};
    value.now = value.type.dtype;
    return scope.values.emplace(name, std::move(value)).first->second;
  };
  std::unordered_map<std::string_view, const onnx::Value*> inputs;
  for (const onnx::Value* input : types_.inputs(scope.graph)) inputs.emplace(input->name, input);
  for (const proto::ValueInfo& info : scope.graph.inputs) {
    const auto known = inputs.find(info.name);
    if (known == inputs.end()) continue;
    CastValue& input = add(info.name, known->second->type);
    input.now = required(scope, input);
    if (!scope.converts && input.type.kind != Type::Kind::tensor && converts(input.type)) torn_ = true;
  }
  for (proto::Tensor& tensor : scope.graph.initializers)
    if (!scope.values.contains(tensor.name)) add(tensor.name, lift_.type(tensor)).constant = &tensor;
  for (const proto::SparseTensor& tensor : scope.graph.sparse_initializers)
    if (!scope.values.contains(name_of(tensor))) {
      CastValue& sparse = add(name_of(tensor), lift_.type(tensor));
      sparse.type.kind = Type::Kind::unknown;
    }
  for (const NamedValue& value : types_.values(scope.graph)) add(value.name, value.value->type);
  for (const proto::Node& node : scope.graph.nodes)
    for (const proto::Text output : node.outputs)
      if (!output.empty() && !scope.values.contains(output)) add(output, unknown_type());
  for (const proto::ValueInfo& info : scope.graph.outputs) scope.outputs.insert(info.name);
}

void CastPlanner::outputs(CastScope& scope) {
  for (const proto::ValueInfo& info : scope.graph.outputs) {
    CastValue* value = scope.find(info.name).value;
    if (!value) continue;
    want(*value, required(scope, *value));
    if (!scope.converts && value->type.kind != Type::Kind::tensor && converts(value->type)) torn_ = true;
  }
}

// ---- nodes

const facts::Operator* CastPlanner::operator_of(const proto::Node& node) const {
  const auto opset = imports_.version(node.domain);
  const facts::Domain* domain = facts::find_domain(node.domain);
  if (!opset || !domain || *opset > domain->newest) return nullptr;
  const facts::Operator* op = facts::find(node.domain, node.op_type, *opset);
  const bool called = std::ranges::any_of(opened_.model.functions, [&](const proto::Function& function) {
    return function.name == node.op_type &&
           onnx::Imports::key(function.domain) == onnx::Imports::key(node.domain);
  });
  return op && !op->deprecated && !called ? op : nullptr;
}

void CastPlanner::constant_node(proto::Node& node, CastScope& scope) {
  const auto value =
      std::ranges::find_if(node.attributes, [](const proto::Attribute& a) { return a.t != nullptr; });
  if (value != node.attributes.end() && node.outputs.size() == 1)
    scope.values.at(node.outputs[0]).constant = value->t.get();
}

void CastPlanner::node(proto::Node& node, CastScope& scope) {
  const facts::Operator* op = operator_of(node);
  if (op && op->name == "Constant") constant_node(node, scope);
  CastArguments arguments{.node = node, .op = op, .kept = keep_(node) || scope.kept};
  bool sizes = !fills(node.op_type), any = node.op_type == "Shape" || node.op_type == "Size";
  for (const proto::Text name : node.inputs) {
    const CastValue* input = name.empty() ? nullptr : scope.find(name).value;
    arguments.inputs.push_back(input);
    if (name.empty() || any || (input && input->constant)) continue;
    sizes = sizes && input && input->from_sizes;
  }
  for (const CastValue* input : arguments.inputs) any = any || (input && input->from_sizes);
  const bool from_sizes = arguments.from_sizes = op && sizes && any && !has_graphs(*op);
  for (const proto::Text name : node.outputs)
    arguments.outputs.push_back(name.empty() ? nullptr : &scope.values.at(name));
  const CastPlan& plan = plans_.insert_or_assign(&node, decide(arguments)).first->second;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (!node.inputs[i].empty())
      if (CastValue* input = scope.find(node.inputs[i]).value) want(*input, plan.inputs[i]);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    CastValue& output = scope.values.at(node.outputs[i]);
    output.now = plan.outputs[i];
    output.from_sizes = from_sizes;
  }
  proto::each_subgraph(
      node, [&](proto::Graph& inner) { graph(inner, &scope, plan.subgraphs_kept, plan.subgraphs_convert); });
}

}  // namespace cameo::model
