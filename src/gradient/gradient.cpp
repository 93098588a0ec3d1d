#include "gradient/gradient.h"

#include <fmt/core.h>

#include <algorithm>

#include "gradient/rules.h"
#include "onnx/graph/visit.h"
#include "onnx/upgrade/emit_maker.h"

namespace cameo::gradient {
namespace {

using Targets = std::unordered_set<const onnx::Value*>;

// One operator on the way: a recorded call, or a node.
struct Step {
  const Recorded* call = nullptr;
  const onnx::Node* node = nullptr;
  std::vector<onnx::Value*> inputs;
  std::vector<onnx::Value*> outputs;
  bool depends = false;

  const void* key() const { return call ? static_cast<const void*>(call) : node; }
};

void add_tensors(const aten::Arg& arg, std::vector<onnx::Value*>& out) {
  if (const aten::Tensor* tensor = arg.get_if<aten::Tensor>()) out.push_back(tensor->value);
  if (const aten::ArgList* list = arg.get_if<aten::ArgList>())
    for (const aten::Arg& item : *list) add_tensors(item, out);
}

// The values that the subgraphs of a node read.
void add_captured(const onnx::Node& node, std::vector<onnx::Value*>& out) {
  for (const onnx::Attribute& attribute : node.attributes)
    for (const onnx::Graph* graph : onnx::subgraphs(attribute.value))
      std::ranges::copy(onnx::used_values(*graph), std::back_inserter(out));
}

Step call_step(const Recorded& call) {
  Step step{.call = &call, .outputs = call.results};
  for (const aten::Arg& arg : call.call.args) add_tensors(arg, step.inputs);
  return step;
}

Step node_step(const onnx::Node& node) {
  Step step{.node = &node, .outputs = node.outputs};
  for (onnx::Value* input : node.inputs)
    if (input) step.inputs.push_back(input);
  add_captured(node, step.inputs);
  return step;
}

// The steps from some values back to targets, in topological order.
class Path {
 public:
  Path(Emit& e, const Tape& tape, const Targets& targets) : e_(e), tape_(tape), targets_(targets) {}

  void add(onnx::Value* value) {
    open(value);
    while (!stack_.empty()) {
      Step& step = steps_[stack_.back().step];
      if (stack_.back().next < step.inputs.size()) {
        open(step.inputs[stack_.back().next++]);
        continue;
      }
      step.depends = std::ranges::any_of(step.inputs, [&](const onnx::Value* v) { return depends(v); });
      order_.push_back(stack_.back().step);
      stack_.pop_back();
    }
  }

  bool depends(const onnx::Value* value) const {
    if (!differentiable(value)) return false;
    if (targets_.contains(value)) return true;
    const auto found = by_key_.find(key_of(value));
    return found != by_key_.end() && steps_[found->second].depends;
  }

  // Those that depend on a target, the last one first.
  template <class Visit>
  void each_backwards(Visit visit) const {
    for (auto index = order_.rbegin(); index != order_.rend(); ++index)
      if (steps_[*index].depends) visit(steps_[*index]);
  }

 private:
  struct Frame {
    std::size_t step, next = 0;
  };

  static bool differentiable(const onnx::Value* value) {
    return value && value->type.kind == onnx::Type::Kind::tensor && is_floating(value->dtype());
  }
  const void* key_of(const onnx::Value* value) const {
    if (const Recorded* call = tape_.find(value)) return call;
    return value->producer;
  }
  void open(onnx::Value* value) {
    if (!differentiable(value)) return;
    const Recorded* call = tape_.find(value);
    if (!call && (!value->producer || e_.stops_gradient(value->producer))) return;
    const void* key = key_of(value);
    if (!by_key_.emplace(key, steps_.size()).second) return;
    stack_.push_back({steps_.size()});
    steps_.push_back(call ? call_step(*call) : node_step(*value->producer));
  }

  Emit& e_;
  const Tape& tape_;
  const Targets& targets_;
  std::deque<Step> steps_;
  std::unordered_map<const void*, std::size_t> by_key_;
  std::vector<Frame> stack_;
  std::vector<std::size_t> order_;
};

class PathSums final : public Sums {
 public:
  PathSums(Emit& e, const Path& path) : e_(e), path_(path) {}

  bool wants(const onnx::Value* value) const override { return path_.depends(value); }
  void add(onnx::Value* value, const Expr& gradient) override {
    const Expr part = sum_to(gradient, value);
    const auto [found, first] = sums_.try_emplace(value, part.value);
    if (!first) found->second = Expr(e_, found->second) + part;
  }
  Expr of(const onnx::Value* value) const override {
    const auto found = sums_.find(value);
    return found == sums_.end() ? Expr() : Expr(e_, found->second);
  }

 private:
  Emit& e_;
  const Path& path_;
  std::unordered_map<const onnx::Value*, onnx::Value*> sums_;
};

void run_node(Emit& e, const onnx::Node& made, Sums& sums) {
  onnx::Node node = made;
  onnx::EmitMaker maker(e);
  const NodeRule rule = node_rule(node);
  const bool known =
      rule && upgrade(node, e.model().opset, node.outputs.size(), maker) == onnx::Fidelity::exact;
  if (!known)
    throw aten::Unsupported(fmt::format(
        "the derivative of {}{} is not supported", made.op,
        made.origin && !made.origin->op.empty() ? fmt::format(" (from {})", made.origin->op) : ""));
  rule({e, node, sums});
}

void run(Emit& e, const Step& step, Sums& sums) {
  const bool reached = std::ranges::any_of(
      step.outputs, [&](const onnx::Value* v) { return v && sums.of(v).value != nullptr; });
  if (!reached) return;
  if (step.call)
    call_rule (*step.call->call.op)({e, *step.call, sums});
  else
    run_node(e, *step.node, sums);
}

}  // namespace

bool depends(Emit& e, const Tape& tape, onnx::Value* value, const Targets& targets) {
  Path path(e, tape, targets);
  path.add(value);
  return path.depends(value);
}

std::vector<onnx::Value*> gradients(Emit& e, const Tape& tape, const std::vector<onnx::Value*>& outputs,
                                    const std::vector<onnx::Value*>& weights,
                                    const std::vector<onnx::Value*>& inputs) {
  const Targets targets(inputs.begin(), inputs.end());
  Path path(e, tape, targets);
  for (onnx::Value* output : outputs) path.add(output);
  PathSums sums(e, path);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (path.depends(outputs[i])) sums.add(outputs[i], Expr(e, weights[i]));
  path.each_backwards([&](const Step& step) { run(e, step, sums); });
  std::vector<onnx::Value*> results;
  for (const onnx::Value* input : inputs) results.push_back(sums.of(input).value);
  return results;
}

}  // namespace cameo::gradient
