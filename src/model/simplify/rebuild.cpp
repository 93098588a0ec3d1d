#include "model/simplify/rebuild.h"

#include <algorithm>

#include <fmt/core.h>

#include "cameo/diagnostic.h"
#include "model/graph/links.h"
#include "onnx/downgrade/downgrade.h"
#include "onnx/emit/tables.h"
#include "onnx/facts/facts.h"
#include "onnx/fold/fold.h"
#include "onnx/fold/view.h"
#include "onnx/graph/versions.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Value;

bool has_graph(const onnx::Node& node) {
  return std::ranges::any_of(node.attributes, [](const onnx::Attribute& attribute) {
    return !onnx::subgraphs(attribute.value).empty();
  });
}

[[noreturn]] void fail(const Opened& opened, Code code, std::string message) {
  throw Error(Diagnostic{.code = code,
                         .message = std::move(message),
                         .file = opened.file->name(),
                         .hint = "run cameo check to see all that is wrong"});
}

// Whether a node has the inputs and outputs that its operator requires. True for an operator that the opset
// does not have.
bool has_required(const ImportedNode& node, std::int64_t opset) {
  const onnx::facts::Operator* known = onnx::facts::find("", node.read.op, opset);
  if (!known || known->deprecated) return true;
  const Values& inputs = node.read.inputs;
  bool there = !node.source.outputs.empty();
  const auto given = [&](std::size_t i) { return i < inputs.size() && inputs[i] != nullptr; };
  for (std::size_t i = 0; there && i < known->inputs.size(); ++i) {
    if (known->inputs[i].arity == onnx::facts::Arity::single) there = there && given(i);
    if (known->inputs[i].arity == onnx::facts::Arity::variadic && !has_graph(node.read))
      for (std::size_t k = i; k < std::max(inputs.size(), i + known->inputs[i].minimum); ++k)
        there = there && given(k);
  }
  return there;
}

bool all_constant(const Value* value) { return !value || value->constant(); }

// The elements of a tensor whose elements are formulas and whose axes are rearranged in a known way.
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
    elements.push_back(element_at(*node.inputs[0]->elements, at));
  return elements;
}

}  // namespace

Rebuild::Rebuild(Opened& opened, Steps& steps, const SimplifyOptions& options, Rewriting* rewriting,
                 Rebuilt& into)
    : opened_(opened),
      steps_(steps),
      rewriting_(rewriting),
      into_(into),
      opset_(opened.opset()),
      formulas_(opset_ >= kMinOpset && opset_ <= kMaxOpset),
      importer_(opened, into.model.symbols(), *this,
                {.foreign_whole = true, .constant_defaults = options.fold_inputs}),
      emit_(into.model, onnx::downgrade(),
            {.opset = static_cast<int>(std::clamp<std::int64_t>(opset_, kMinOpset, kMaxOpset))}) {
  emit_.report_assumptions([this](const sym::Condition& condition, std::string_view otherwise) {
    into_.assumptions.push_back(fmt::format("{} (otherwise: {})", sym::to_string(condition), otherwise));
  });
}

void Rebuild::run() {
  count_reads(opened_.graph());
  find_captured(opened_.graph());
  importer_.run();
}

void Rebuild::count_reads(const proto::Graph& graph) {
  for (const proto::ValueInfo& output : graph.outputs) ++reads_[output.name];
  for (const proto::Node& node : graph.nodes) {
    for (const std::string_view input : node.inputs) ++reads_[input];
    proto::each_subgraph(node, [this](const proto::Graph& inner) { count_reads(inner); });
  }
}

void Rebuild::find_captured(const proto::Graph& graph) {
  for (const proto::Node& node : graph.nodes) {
    if (!holds_foreign(node)) continue;
    for (const std::string_view name : reads(node))
      if (captured_names_.insert(name).second) captured_.push_back(name);
    proto::each_subgraph(node, [this](const proto::Graph& inner) { reserve(inner); });
  }
  output_names_.insert(captured_.begin(), captured_.end());
}

void Rebuild::reserve(const proto::Graph& graph) {
  const auto define = [this](std::string_view name) {
    if (!name.empty()) ++into_.defined[name];
  };
  for (const proto::ValueInfo& input : graph.inputs) define(input.name);
  for (const proto::Tensor& tensor : graph.initializers) define(tensor.name);
  for (const proto::Node& node : graph.nodes) {
    for (const std::string_view output : node.outputs) define(output);
    proto::each_subgraph(node, [this](const proto::Graph& inner) { reserve(inner); });
  }
}

Value* Rebuild::undefined(std::string_view name) {
  fail(opened_, Code::undefined_value, fmt::format("no node defines '{}' before it is used", name));
}

// Rules rely on these facts.
void Rebuild::check(const ImportedNode& node) const {
  if (!node.function && node.read.domain.empty() && !has_required(node, opset_))
    fail(opened_, Code::broken_node,
         fmt::format("{} '{}' lacks an input or output that opset {} requires", node.source.op_type,
                     node.source.name, opset_));
  if (!node.subgraphs_fit && (node.read.op == "If" || node.read.op == "Loop"))
    fail(opened_, Code::broken_control_flow,
         fmt::format("the subgraphs of {} '{}' do not fit its inputs and outputs", node.source.op_type,
                     node.source.name));
}

Values Rebuild::node(ImportedNode& node, const Scope& scope) {
  check(node);
  if (rewriting_)
    if (Values values = rewriting_->node(node, scope, emit_); !values.empty()) return values;
  const bool understood = node.fits && node.fidelity != onnx::Fidelity::none;
  if (!understood) node.results.assign(node.results.size(), {unknown_type(), std::nullopt});
  if (has_graph(node.read))
    for (onnx::Inferred& result : node.results) result.elements.reset();
  if (!understood || node.fidelity != onnx::Fidelity::exact || has_graph(node.read)) return keep(node);
  if (node.results.size() == 1 && !node.results.front().elements)
    node.results.front().elements = rearranged(node.newest);
  Values values = simplified(node);
  if (!values.empty()) {
    for (const std::string_view name : node.source.outputs) into_.replaced.insert_or_assign(std::string(name), steps_.last());
    return values;
  }
  values = keep(node);
  if (const std::string key = reuse_key(node.newest, node.results.size()); !key.empty())
    equal_[emit_.scope()].emplace(key, values);
  return values;
}

Values Rebuild::keep(ImportedNode& node) {
  Values values = emit_.create(node.read, node.results);
  into_.nodes[emit_.scope()->nodes.back()] = {&node.source, std::move(node.read.attributes)};
  return values;
}

void Rebuild::bound(const proto::Node& source, const Values& values, const Scope& scope) {
  for (const std::string_view name : source.outputs) ++into_.defined[name];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view name = i < source.outputs.size() ? source.outputs[i] : std::string_view();
    Value* value = values[i];
    if (name.empty()) {
      if (value->name.empty() && value->producer) into_.absent.insert(value);
      continue;
    }
    into_.absent.erase(value);
    if (!value->name.empty() || value->symbolic()) continue;
    value->name = name;
    if (scope.inlined() || (value->constant() && emit_.scope()->parent)) into_.moved.insert(value);
  }
}

onnx::Visible Rebuild::visible() const {
  return [this](const onnx::Dim& dim) { return emit_.visible(dim); };
}

Value* Rebuild::op(std::string_view type, Values inputs, onnx::Attributes attributes) {
  const onnx::Node node{
      .op = std::string(type), .inputs = std::move(inputs), .attributes = std::move(attributes)};
  Results results = onnx::infer(emit_.sym(), node, 1, visible());
  if (!results.front().elements) results.front().elements = rearranged(node);
  if (const Values sizes = as_sizes(results); !sizes.empty()) return sizes.front();
  if (std::ranges::all_of(node.inputs, all_constant))
    if (const onnx::Folded folded = onnx::fold(node, {results.front().type}); !folded.empty())
      return emit_.constant(folded.front());
  return into_.model.add_value(results.front().type);  // good for its type, never read by a node
}

}  // namespace cameo::model
