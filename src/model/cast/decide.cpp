#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "model/cast/planner.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
using onnx::Type;

constexpr double kSmallestNormalHalf = 0x1p-14;

std::optional<facts::Form> form_of(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::tensor: return facts::Form::tensor;
    case Type::Kind::sequence: return facts::Form::sequence;
    case Type::Kind::optional: return facts::Form::optional;
    case Type::Kind::optional_sequence: return facts::Form::optional_sequence;
    case Type::Kind::unknown: break;
  }
  return std::nullopt;
}

bool permits(const facts::Parameter& parameter, Type::Kind kind, DType dtype) {
  const auto form = form_of(kind);
  return form && parameter.types->holds(*form, onnx::to_onnx(dtype));
}

bool is_quantizing(std::string_view op) { return op == "QuantizeLinear" || op == "DequantizeLinear"; }

}  // namespace

bool has_graphs(const facts::Operator& op) {
  return std::ranges::any_of(op.attributes,
                             [](const facts::Attribute& a) { return a.kind == facts::Kind::graph; });
}

// The decision about one node: which type variables of its operator get the new type.
class CastDecision {
 public:
  CastDecision(CastPlanner& planner, const CastArguments& arguments)
      : planner_(planner), arguments_(arguments), op_(arguments.op) {}

  CastPlan run() {
    for (const CastValue* input : arguments_.inputs) plan_.inputs.push_back(type_of(input));
    for (const CastValue* output : arguments_.outputs) plan_.outputs.push_back(type_of(output));
    plan_.subgraphs_kept = arguments_.kept || !op_;
    if (!op_) {
      for (const auto* values : {&arguments_.inputs, &arguments_.outputs})
        for (const CastValue* value : *values)
          if (value && is_container(*value) && planner_.converts(value->type)) planner_.torn_ = true;
      return plan_;
    }
    judge_all();
    plan_.subgraphs_convert = has_graphs(*op_) && !arguments_.kept && all_fine();
    visit(op_->inputs, arguments_.inputs, [this](const Argument& each) { apply(each, plan_.inputs); });
    visit(op_->outputs, arguments_.outputs, [this](const Argument& each) { apply(each, plan_.outputs); });
    free_inputs();
    return plan_;
  }

 private:
  struct Argument {
    std::size_t index;
    const CastValue& value;
    const facts::Parameter& parameter;
    std::string variable;
  };

  static DType type_of(const CastValue* value) { return value ? value->type.dtype : DType::undefined; }
  static bool is_container(const CastValue& value) {
    return value.type.kind != Type::Kind::tensor && value.type.kind != Type::Kind::unknown;
  }

  // An argument whose type is its own gets a variable of its own.
  template <class Act>
  void visit(std::span<const facts::Parameter> parameters, const std::vector<const CastValue*>& values,
             const Act& act) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const facts::Parameter* parameter = facts::parameter(parameters, i);
      if (!values[i] || !parameter) continue;
      const bool own = !parameter->same || parameter->variable.empty();
      act(Argument{i, *values[i], *parameter,
                   own ? fmt::format("{}.{}", parameter->name, i) : std::string(parameter->variable)});
    }
  }

  void judge_all() {
    visit(op_->inputs, arguments_.inputs, [this](const Argument& each) { judge(each); });
    std::set<std::string> read;
    for (const auto& [variable, fine] : fine_) read.insert(variable);
    visit(op_->outputs, arguments_.outputs, [this](const Argument& each) { judge(each); });
    // The type of a result that no input has comes from an attribute or from a subgraph.
    const bool typed = !type_attribute(op_->name).empty() || op_->name == "Constant" ||
                       op_->name == "ConstantOfShape" || has_graphs(*op_) || containers_;
    for (auto& [variable, fine] : fine_)
      if (!read.contains(variable) && !typed) fine = false;
    // The elements of a sequence have the type of the tensors beside it, and the values of a subgraph the type
    // of the values outside: all are converted, or none.
    if (!containers_ && !has_graphs(*op_)) return;
    const bool all = all_fine();
    for (auto& [variable, fine] : fine_) fine = all;
    if (containers_ && !all) planner_.torn_ = true;
  }

  bool all_fine() const {
    return std::ranges::all_of(fine_, [](const auto& each) { return each.second; });
  }

  void judge(const Argument& each) {
    const bool moves = planner_.converts(each.value.type);
    bool& fine = fine_.try_emplace(each.variable, true).first->second;
    if (is_container(each.value) && moves) containers_ = true;
    if (arguments_.kept || arguments_.from_sizes) fine = false;
    if (type_of(&each.value) == DType::undefined) fine = fine && has_graphs(*op_);
    if (moves)
      fine = fine && permits(each.parameter, each.value.type.kind, planner_.to()) && in_range(each.value);
    if (op_->name == "ConstantOfShape" && !value_in_range()) fine = false;
  }

  bool in_range(const CastValue& value) const {
    if (!value.constant) return true;
    // A scale that is no normal number of f16 has few digits.
    if (is_quantizing(op_->name) && planner_.to() == DType::f16 &&
        planner_.smallest_.at(value.constant) < kSmallestNormalHalf)
      return false;
    return planner_.in_range(*value.constant);
  }

  bool value_in_range() const {
    return std::ranges::all_of(arguments_.node.attributes, [this](const onnx::proto::Attribute& attribute) {
      return !attribute.t || planner_.in_range(*attribute.t);
    });
  }

  void apply(const Argument& each, std::vector<DType>& types) {
    if (!planner_.converts(each.value.type) || !fine_.at(each.variable)) return;
    types[each.index] = planner_.to();
    plan_.converts = true;
  }

  // An input whose type no other argument shares may keep the type that it has.
  void free_inputs() {
    std::map<std::string, int> shared;
    const auto count = [&](const Argument& each) { ++shared[each.variable]; };
    visit(op_->inputs, arguments_.inputs, count);
    visit(op_->outputs, arguments_.outputs, count);
    const bool free = !arguments_.kept || op_->name == "Shape" || op_->name == "Size";
    if (!free || has_graphs(*op_) || containers_) return;
    visit(op_->inputs, arguments_.inputs, [&](const Argument& each) {
      if (shared[each.variable] == 1 && planner_.converts(each.value.type) && !each.value.constant &&
          permits(each.parameter, each.value.type.kind, planner_.to()))
        plan_.inputs[each.index] = DType::undefined;
    });
  }

  CastPlanner& planner_;
  const CastArguments& arguments_;
  const facts::Operator* op_;
  CastPlan plan_;
  std::map<std::string, bool> fine_;  // by type variable
  bool containers_ = false;           // it has sequences or optionals of a type that is converted
};

CastPlan CastPlanner::decide(const CastArguments& arguments) { return CastDecision(*this, arguments).run(); }

}  // namespace cameo::model
