#include "model/simplify/lower.h"

#include <algorithm>

#include "onnx/facts/facts.h"
#include "onnx/graph/visit.h"
#include "onnx/lower/lower.h"
#include "onnx/proto/value_info.h"

namespace cameo::model {
namespace {

namespace proto = onnx::proto;
using onnx::Graph;
using onnx::Node;
using onnx::Value;

class Lower {
 public:
  Lower(Rebuilt& rebuilt, Opened& opened, proto::Texts& texts, const SimplifyOptions& options)
      : rebuilt_(rebuilt), opened_(opened), texts_(texts), lowering_(texts), options_(options) {}

  void run() {
    proto::Graph& main = *opened_.model.graph;
    for (const Value* value : onnx::used_values(rebuilt_.model.main())) use(value);
    for (const proto::Annotation& annotation : main.annotations)
      for (const proto::Entry& entry : annotation.quantization) pinned_.insert(entry.value);
    const bool all_as_inputs = opened_.all_initializers_are_inputs();
    std::vector<proto::Node> constants;
    initializers(main, all_as_inputs, constants);
    graph(rebuilt_.model.main(), main);
    main.nodes.insert(main.nodes.begin(), std::make_move_iterator(constants.begin()),
                      std::make_move_iterator(constants.end()));
  }

 private:
  void use(const Value* value) {
    used_.insert(value);
    if (value->constant() && !rebuilt_.tensors.contains(value)) new_constants_.push_back(value);
    if (value->graph && !value->constant()) opaque_.insert(value->name);
  }

  bool kept(const proto::Tensor& tensor) const {
    return pinned_.contains(tensor.name) || opaque_.contains(tensor.name);
  }

  // The initialisers of the file come first, then the new ones. A format that requires an input for each
  // initialiser gets Constant nodes for the new ones, if the Constant of its opset can hold them.
  void initializers(proto::Graph& main, bool all_as_inputs, std::vector<proto::Node>& nodes) {
    std::unordered_set<std::string_view> inputs, before;
    for (const proto::ValueInfo& input : main.inputs) inputs.insert(input.name);
    for (const proto::Tensor& tensor : main.initializers) before.insert(tensor.name);
    std::unordered_map<const proto::Tensor*, const Value*> of_file;
    for (const Value* value : rebuilt_.constants)
      if (const auto found = rebuilt_.tensors.find(value);
          used_.contains(value) && found != rebuilt_.tensors.end())
        of_file.emplace(found->second, value);
    std::vector<proto::Tensor> all;
    const bool by_default = !all_as_inputs && !options_.fold_inputs;
    for (proto::Tensor& tensor : main.initializers) {
      const auto found = of_file.find(&tensor);
      if (found == of_file.end() && !kept(tensor) && !(by_default && inputs.contains(tensor.name))) continue;
      all.push_back(std::move(tensor));
    }
    const auto put = [&](proto::Tensor tensor, const Value& value) {
      tensor.name = texts_.keep(value.name);
      if (all_as_inputs && !inputs.contains(value.name)) {
        if (constant_holds(tensor)) return nodes.push_back(constant_node(std::move(tensor)));
        main.inputs.push_back(proto::value_info(tensor));
      } else if (all_as_inputs) {
        retype_input(main, tensor);
      }
      all.push_back(std::move(tensor));
    };
    for (const Value* value : rebuilt_.constants) {
      const auto found = rebuilt_.tensors.find(value);
      if (!used_.contains(value) || found == rebuilt_.tensors.end()) continue;
      const bool of_main = found->second >= main.initializers.data() &&
                           found->second < main.initializers.data() + main.initializers.size();
      if (!of_main) put(std::move(*found->second), *value);
    }
    for (const Value* value : new_constants_) put(lowering_.tensor(value->data), *value);
    main.initializers = std::move(all);
    if (!by_default) drop_inputs(main, before, all_as_inputs);
  }

  // The input of an initialiser that a rule has changed.
  static void retype_input(proto::Graph& main, const proto::Tensor& tensor) {
    std::ranges::find(main.inputs, tensor.name, &proto::ValueInfo::name)->type =
        proto::value_info(tensor).type;
  }

  // Removes inputs whose initialiser was removed, or is a constant from now on.
  static void drop_inputs(proto::Graph& main, const std::unordered_set<std::string_view>& before,
                          bool all_as_inputs) {
    std::unordered_set<std::string_view> after;
    for (const proto::Tensor& tensor : main.initializers) after.insert(tensor.name);
    std::erase_if(main.inputs, [&](const proto::ValueInfo& input) {
      return before.contains(input.name) && !(all_as_inputs && after.contains(input.name));
    });
  }

  bool constant_holds(const proto::Tensor& tensor) const {
    const onnx::facts::Operator* constant = onnx::facts::find({}, "Constant", opened_.opset());
    return constant &&
           constant->outputs[0].types->holds(onnx::facts::Form::tensor, tensor.data_type.value_or(0));
  }

  static proto::Node constant_node(proto::Tensor tensor) {
    proto::Node node;
    node.op_type = "Constant";
    node.outputs = {tensor.name};
    proto::Attribute value;
    value.name = "value";
    value.type = static_cast<std::int32_t>(onnx::facts::Kind::tensor);
    value.t = std::make_unique<proto::Tensor>(std::move(tensor));
    node.attributes.push_back(std::move(value));
    return node;
  }

  void graph(const Graph& graph, proto::Graph& into) {
    std::unordered_set<std::string_view> results;
    std::vector<proto::Node> nodes;
    for (const Node* each : graph.nodes) {
      nodes.push_back(node(*each));
      for (const Value* output : each->outputs) results.insert(output->name);
    }
    into.nodes = std::move(nodes);
    if (graph.parent) {
      std::erase_if(into.initializers, [this](const proto::Tensor& tensor) { return !kept(tensor); });
      keep_named(into.inputs, graph.inputs);
      keep_named(into.outputs, graph.outputs);
    }
    std::erase_if(into.value_infos, [&](const proto::ValueInfo& info) {
      return !options_.input_shapes.empty() || !results.contains(info.name);
    });
  }

  // Subgraphs may have lost inputs and outputs without readers.
  static void keep_named(std::vector<proto::ValueInfo>& declared, const std::vector<Value*>& values) {
    std::unordered_set<std::string_view> names;
    for (const Value* value : values) names.insert(value->name);
    std::erase_if(declared, [&](const proto::ValueInfo& info) { return !names.contains(info.name); });
  }

  proto::Node node(const Node& node) {
    proto::Node result;
    const auto source = rebuilt_.nodes.find(&node);
    if (source == rebuilt_.nodes.end()) {
      result = lowering_.node(node);
    } else {
      result = std::move(*source->second.node);
      if (result.op_type != node.op) result.op_type = texts_.keep(node.op);
      result.inputs = lowering_.inputs(node);
      attributes(node, source->second.attributes, result);
    }
    result.outputs.clear();
    for (const Value* output : node.outputs)
      result.outputs.push_back(rebuilt_.absent.contains(output) ? "" : texts_.keep(output->name));
    while (!result.outputs.empty() && result.outputs.back().empty()) result.outputs.pop_back();
    return result;
  }

  void attributes(const Node& node, const onnx::Attributes& read, proto::Node& into) {
    std::erase_if(into.attributes, [&](const proto::Attribute& attribute) {
      const auto before = std::ranges::find(read, attribute.name, &onnx::Attribute::name);
      if (before == read.end()) return false;  // not read: it stays as the file has it
      const onnx::AttributeValue* now = node.attribute(attribute.name);
      return !now || *now != before->value;
    });
    for (const onnx::Attribute& attribute : node.attributes) {
      for (const Graph* inner : onnx::subgraphs(attribute.value)) graph(*inner, *rebuilt_.graphs.at(inner));
      const auto there = std::ranges::find(into.attributes, attribute.name, &proto::Attribute::name);
      if (there == into.attributes.end()) into.attributes.push_back(lowering_.attribute(attribute));
    }
  }

  Rebuilt& rebuilt_;
  Opened& opened_;
  proto::Texts& texts_;
  onnx::Lowering lowering_;
  const SimplifyOptions& options_;
  std::unordered_set<const Value*> used_;
  std::vector<const Value*> new_constants_;
  std::unordered_set<std::string_view> pinned_;  // by annotations
  std::unordered_set<std::string_view> opaque_;  // values that are neither computed nor constants here
};

}  // namespace

void lower(Rebuilt& rebuilt, Opened& opened, proto::Texts& texts, const SimplifyOptions& options) {
  Lower(rebuilt, opened, texts, options).run();
}

}  // namespace cameo::model
