#include "model/cast/cast.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "cameo/model.h"
#include "model/cast/planner.h"
#include "model/rewrite/inline.h"
#include "model/rewrite/tensors.h"
#include "onnx/fold/fold.h"
#include "onnx/proto/visit.h"

namespace cameo {
namespace model {
namespace {

namespace facts = onnx::facts;
namespace proto = onnx::proto;
using proto::Text;

proto::Attribute number(Text name, std::int64_t value) {
  proto::Attribute attribute;
  attribute.name = name;
  attribute.type = static_cast<std::int32_t>(facts::Kind::integer);
  attribute.i = value;
  return attribute;
}

proto::Attribute& attribute_of(proto::Node& node, Text name) {
  const auto found = std::ranges::find(node.attributes, name, &proto::Attribute::name);
  if (found != node.attributes.end()) return *found;
  node.attributes.emplace_back().name = name;
  return node.attributes.back();
}

void set_element(proto::Type& type, DType dtype) {
  if (type.inner)
    set_element(*type.inner, dtype);
  else
    type.element = onnx::to_onnx(dtype);
}

void set_element(proto::ValueInfo& info, DType dtype) {
  if (info.type && dtype != DType::undefined) set_element(*info.type, dtype);
}

// A Constant of numbers that are attributes becomes one of a tensor.
void hold_tensors(proto::Graph& graph) {
  for (proto::Node& node : graph.nodes) {
    proto::each_subgraph(node, hold_tensors);
    if (node.op_type != "Constant" || !onnx::Imports::key(node.domain).ends_with("ai.onnx")) continue;
    for (proto::Attribute& attribute : node.attributes) {
      const bool scalar = attribute.name == "value_float" && attribute.f;
      if ((!scalar && attribute.name != "value_floats") || !attribute.ref_attr_name.empty()) continue;
      const std::vector<float> numbers = scalar ? std::vector{*attribute.f} : attribute.floats;
      std::vector<std::int64_t> shape;
      if (!scalar) shape.push_back(std::ssize(numbers));
      attribute = {};
      attribute.name = "value";
      attribute.type = static_cast<std::int32_t>(facts::Kind::tensor);
      attribute.t = std::make_unique<proto::Tensor>(
          tensor_of({}, onnx::Data::of<float>(DType::f32, std::move(shape), numbers)));
    }
  }
}

// Writes the decisions of the planner into the messages.
class Caster {
 public:
  Caster(CastPlanner& planner, Names& names, Lift& lift) : planner_(planner), names_(names), lift_(lift) {}

  CastCounts run() {
    graph(planner_.main());
    return std::move(counts_);
  }

 private:
  void graph(CastScope& scope) {
    constants(scope);
    for (proto::ValueInfo& input : scope.graph.inputs)
      if (const auto found = scope.values.find(input.name); found != scope.values.end())
        set_element(input, found->second.now);
    for (proto::Node& each : scope.graph.nodes) node(each, scope);
    for (proto::ValueInfo& output : scope.graph.outputs) finish(output, scope);
    for (proto::ValueInfo& info : scope.graph.value_infos)
      if (const auto found = scope.values.find(info.name); found != scope.values.end())
        set_element(info, found->second.now);
    scope.graph.nodes = std::move(scope.nodes);
  }

  // ---- constants

  void constants(CastScope& scope) {
    for (proto::Tensor& tensor : scope.graph.initializers) {
      CastValue& value = scope.values.at(tensor.name);
      if (value.constant)
        settle(value);
      else if (value.now != value.type.dtype)  // the default of an input
        convert(tensor);
    }
  }

  void settle(CastValue& value) {
    const bool moves = value.wanted_new && !value.wanted_old && planner_.converts(value.type) &&
                       planner_.in_range(*value.constant);
    value.now = value.type.dtype;
    if (!moves) return;
    value.now = planner_.to();
    convert(*value.constant);
  }

  void convert(proto::Tensor& tensor) {
    set_elements(tensor, onnx::cast_elements(elements_of(tensor, lift_), planner_.to()));
    ++counts_.weights;
  }

  // ---- nodes

  void node(proto::Node& source, CastScope& scope) {
    const CastPlan& plan = planner_.plan(source);
    const facts::Operator* op = planner_.operator_of(source);
    ++counts_.total;
    if (plan.converts) ++counts_.nodes;
    if (op && op->name == "Constant" && source.outputs.size() == 1) {
      CastValue& value = scope.values.at(source.outputs[0]);
      if (value.constant) settle(value);
    }
    const CastValue* first = source.inputs.empty() ? nullptr : scope.find(source.inputs[0]).value;
    for (std::size_t i = 0; i < source.inputs.size(); ++i)
      if (!source.inputs[i].empty()) source.inputs[i] = read(source.inputs[i], plan.inputs[i], scope);
    if (op && op->name == "Cast" && first && drops(source, plan, *first, scope)) return;
    if (op && plan.converts) retype(source, *op, plan);
    for (Text& output : source.outputs) rename(output, scope);
    proto::each_subgraph(source, [this](proto::Graph& inner) { graph(planner_.scope(inner)); });
    scope.nodes.push_back(std::move(source));
  }

  // The name of a value in this type; undefined: in the type that it has.
  Text read(Text name, DType wanted, CastScope& scope) {
    const CastScope::Found found = scope.find(name);
    if (!found.value) return name;
    CastValue& value = *found.value;
    if (wanted == DType::undefined || value.now == wanted || value.now == DType::undefined) return value.name;
    for (const auto& [type, cast] : value.casts)
      if (type == wanted) return cast;
    const Text made = names_.fresh(fmt::format("{}_{}", value.name, cameo::name(wanted)));
    add_cast(value.name, made, wanted, *found.scope);
    value.casts.emplace_back(wanted, made);
    return made;
  }

  void add_cast(Text from, Text to, DType type, CastScope& scope) {
    proto::Node cast;
    cast.op_type = "Cast";
    cast.name = names_.fresh(fmt::format("Cast_{}", to));
    cast.inputs = {from};
    cast.outputs = {to};
    cast.attributes.push_back(number("to", onnx::to_onnx(type)));
    scope.nodes.push_back(std::move(cast));
    ++counts_.casts;
  }

  // A Cast between two types that became one.
  static bool drops(const proto::Node& cast, const CastPlan& plan, const CastValue& input, CastScope& scope) {
    CastValue& result = scope.values.at(cast.outputs[0]);
    const DType read = plan.inputs[0] == DType::undefined ? input.now : plan.inputs[0];
    if (!plan.converts || read != result.now || input.type.dtype == result.type.dtype) return false;
    if (scope.outputs.contains(cast.outputs[0])) return false;
    result.name = cast.inputs[0];
    return true;
  }

  void retype(proto::Node& node, const facts::Operator& op, const CastPlan& plan) {
    const std::string_view attribute = type_attribute(op.name);
    if (!attribute.empty() && !plan.outputs.empty() && plan.outputs[0] != DType::undefined)
      attribute_of(node, attribute) = number(attribute, onnx::to_onnx(plan.outputs[0]));
    if (op.name != "ConstantOfShape") return;
    proto::Attribute& value = attribute_of(node, "value");
    value.type = static_cast<std::int32_t>(facts::Kind::tensor);
    if (!value.t)
      value.t = std::make_unique<proto::Tensor>(
          tensor_of({}, onnx::Data::of<float>(DType::f32, {1}, std::vector<float>{0})));
    set_elements(*value.t, onnx::cast_elements(elements_of(*value.t, lift_), planner_.to()));
  }

  // ---- outputs

  // A result whose name and type an output of the graph has gets another name if it is of another type.
  void rename(Text& output, CastScope& scope) {
    if (output.empty() || !scope.outputs.contains(output)) return;
    CastValue& value = scope.values.at(output);
    if (value.now == planner_.required(scope, value) || value.now == DType::undefined) return;
    output = value.name = names_.fresh(fmt::format("{}_{}", output, cameo::name(value.now)));
  }

  void finish(proto::ValueInfo& output, CastScope& scope) {
    const CastScope::Found found = scope.find(output.name);
    if (!found.value) return;
    CastValue& value = *found.value;
    const DType required = planner_.required(scope, value);
    set_element(output, required);
    if (value.now == required || value.now == DType::undefined) return;
    if (value.name == output.name) {  // no node of this graph makes it
      if (value.constant && found.scope == &scope && !scope.outer) {
        value.name = value.constant->name = names_.fresh(output.name);
      } else {
        const Text made = names_.fresh(fmt::format("{}_{}", output.name, cameo::name(required)));
        add_cast(value.name, made, required, scope);
        output.name = made;
        return;
      }
    }
    add_cast(value.name, output.name, required, scope);
  }

  CastPlanner& planner_;
  Names& names_;
  Lift& lift_;
  CastCounts counts_;
};

void require_cast(const Opened& opened, ElementType to) {
  const facts::Operator* cast = facts::find({}, "Cast", opened.opset());
  constexpr int kNumbered = 6;  // before, the type was a text
  if (cast && cast->since >= kNumbered &&
      cast->outputs[0].types->holds(facts::Form::tensor, static_cast<int>(to)))
    return;
  throw Error(Diagnostic{.code = Code::needs_opset,
                         .message = fmt::format("a model of opset {} cannot hold {}", opened.opset(),
                                                info(static_cast<ElementType>(to)).name),
                         .file = opened.file->name(),
                         .hint = to == ElementType::bf16 ? "bf16 needs opset 13" : "f16 needs opset 6"});
}

}  // namespace

CastCounts cast(Opened& opened, const CastOptions& options) {
  require_cast(opened, options.to);
  const auto names = std::make_shared<Names>(opened.model);
  inline_functions(opened.model, *names);
  hold_tensors(*opened.model.graph);
  onnx::Model symbols;
  Lift lift(opened, symbols.symbols());
  Kept keep(options.keep);
  CastPlanner planner(opened, options, keep, lift);
  planner.run();
  keep.require_matches(opened.file->name());
  CastCounts counts = Caster(planner, *names, lift).run();
  counts.warnings = planner.take_warnings();
  opened.kept.push_back(names);
  return counts;
}

}  // namespace model

Casted Model::cast(const CastOptions& options) const {
  std::vector<Diagnostic> warnings;
  const std::shared_ptr<model::Opened> opened = sorted_copy(warnings);
  model::CastCounts counts = model::cast(*opened, options);
  std::ranges::move(counts.warnings, std::back_inserter(warnings));
  return {.model = Model(opened),
          .weights = counts.weights,
          .casts = counts.casts,
          .nodes = counts.nodes,
          .total = counts.total,
          .warnings = std::move(warnings)};
}

}  // namespace cameo
