#include "model/rewrite/raise.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "model/import/element_types.h"
#include "model/infer/model_types.h"
#include "model/rewrite/tensors.h"
#include "onnx/graph/versions.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/visit.h"

namespace cameo::model {
namespace {

namespace facts = onnx::facts;
namespace proto = onnx::proto;

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// Constants may be added to a node; other nodes may not.
class Constants final : public onnx::Maker {
 public:
  onnx::Value* constant(onnx::DataPtr data) override {
    onnx::Shape shape(data->shape().begin(), data->shape().end());
    onnx::Value* value =
        model_.add_value({onnx::Type::Kind::tensor, data->dtype(), std::move(shape)}, std::string());
    value->data = std::move(data);
    return value;
  }
  onnx::Value* op(std::string_view, std::vector<onnx::Value*>, onnx::Attributes) override {
    needs_nodes = true;
    return model_.add_value(unknown_type(), std::string());
  }
  bool needs_nodes = false;

 private:
  onnx::Model model_;
};

bool same(const onnx::Node& a, const onnx::Node& b) {
  return a.op == b.op && a.inputs == b.inputs &&
         std::ranges::equal(a.attributes, b.attributes, [](const auto& x, const auto& y) {
           return x.name == y.name && x.value == y.value;
         });
}

class Raise {
 public:
  Raise(Opened& opened, std::int64_t opset, Names& names)
      : opened_(opened), from_(opened.opset()), to_(opset), names_(names), types_(opened, false) {
    types_.observe([this](const ImportedNode& node) { note(node); });
  }

  void run() {
    types_.run();
    graph(*opened_.model.graph);
    if (!refused_.empty())
      throw Error(Diagnostic{
          .code = Code::needs_opset,
          .message = fmt::format("the model cannot be raised from opset {} to opset {}", from_, to_),
          .file = opened_.file->name(),
          .notes = std::move(refused_),
          .hint = "export the model with the newer opset"});
    std::ranges::move(added_, std::back_inserter(opened_.model.graph->initializers));
    for (proto::OpsetImport& import : opened_.model.opset_imports)
      if (is_standard(import.domain)) import.version = to_;
    if (opened_.all_initializers_are_inputs()) drop_inputs(*opened_.model.graph);
    const int least = onnx::ir_version(static_cast<int>(to_));
    opened_.model.ir_version = std::max<std::int64_t>(opened_.model.ir_version.value_or(0), least);
  }

 private:
  struct Form {
    bool exact = false, changed = false;
    onnx::Node newest;
    std::unordered_map<const onnx::Value*, std::size_t> inputs;  // the inputs that the file has
  };

  // A newer format does not list constants as inputs.
  static void drop_inputs(proto::Graph& main) {
    std::unordered_set<std::string_view> constants;
    for (const proto::Tensor& tensor : main.initializers) constants.insert(tensor.name);
    std::erase_if(main.inputs, [&](const proto::ValueInfo& input) { return constants.contains(input.name); });
  }

  void note(const ImportedNode& node) {
    if (!is_standard(node.source.domain) || node.function || !node.op) return;
    Form form;
    for (std::size_t i = 0; i < node.read.inputs.size(); ++i)
      if (node.read.inputs[i]) form.inputs.emplace(node.read.inputs[i], i);
    form.newest = node.read;
    form.exact =
        node.fits &&
        onnx::upgrade(form.newest, node.opset, node.source.outputs.size(), maker_) == onnx::Fidelity::exact &&
        !std::exchange(maker_.needs_nodes, false);
    form.changed = !same(form.newest, node.read);
    forms_.insert_or_assign(&node.source, std::move(form));
  }

  void graph(proto::Graph& graph) {
    for (proto::Node& node : graph.nodes) {
      proto::each_subgraph(node, [this](proto::Graph& inner) { this->graph(inner); });
      if (!is_standard(node.domain)) continue;
      const facts::Operator* before = facts::find({}, node.op_type, from_);
      if (before && before == facts::find({}, node.op_type, to_)) continue;
      if (!raise(node))
        refused_.push_back(fmt::format("{} '{}'", printable(node.op_type), printable(node.name)));
    }
  }

  bool raise(proto::Node& node) {
    const auto found = forms_.find(&node);
    if (found == forms_.end() || !found->second.exact) return false;
    const Form& form = found->second;
    const facts::Operator* after = facts::find({}, form.newest.op, to_);
    if (!after || after->deprecated) return false;
    if (form.changed && !rewrite(node, form, *after)) return false;
    return misfit(node, *after).empty() &&
           std::ranges::all_of(node.attributes,
                               [&](const proto::Attribute& each) { return after->attribute(each.name); });
  }

  bool rewrite(proto::Node& node, const Form& form, const facts::Operator& after) {
    std::vector<proto::Text> inputs;
    for (const onnx::Value* value : form.newest.inputs) {
      const auto old = form.inputs.find(value);
      if (value && old == form.inputs.end() && !value->data) return false;
      if (!value)
        inputs.emplace_back("");
      else
        inputs.push_back(old != form.inputs.end() ? node.inputs[old->second] : added(node, *value));
    }
    while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
    node.inputs = std::move(inputs);
    node.op_type = names_.keep(form.newest.op);
    std::erase_if(node.attributes,
                  [](const proto::Attribute& each) { return !each.g && each.graphs.empty(); });
    onnx::Lowering lowering(texts_);
    for (const onnx::Attribute& each : form.newest.attributes) {
      if (!onnx::subgraphs(each.value).empty()) continue;
      if (!after.attribute(each.name)) return false;
      proto::Attribute made = lowering.attribute(each);
      made.name = names_.keep(std::string(made.name));
      if (proto::present(made.s)) made.s = names_.keep(std::string(made.s));
      for (proto::Text& text : made.strings) text = names_.keep(std::string(text));
      node.attributes.push_back(std::move(made));
    }
    return true;
  }

  proto::Text added(const proto::Node& node, const onnx::Value& value) {
    const proto::Text name = names_.fresh(fmt::format("{}_constant", node.outputs[0]));
    added_.push_back(tensor_of(name, value.data));
    return name;
  }

  Opened& opened_;
  std::int64_t from_, to_;
  Names& names_;
  ModelTypes types_;
  Constants maker_;
  onnx::proto::Texts texts_;
  std::unordered_map<const proto::Node*, Form> forms_;
  std::vector<proto::Tensor> added_;
  std::vector<std::string> refused_;
};

}  // namespace

void raise_opset(Opened& opened, std::int64_t opset, Names& names) {
  onnx::check_opset(static_cast<int>(opset));
  if (opened.opset() < opset) Raise(opened, opset, names).run();
}

}  // namespace cameo::model
