#include "onnx/emit/emit.h"

namespace cameo::onnx {

Emitted Emit::pending(Type type) { return {this, model_.add_value(std::move(type))}; }

void Emit::control(std::string_view type, std::vector<Value*> inputs, Attributes attributes,
                   std::vector<Value*> outputs) {
  Node node;
  node.op = type;
  for (Value* input : inputs) node.inputs.push_back(input ? materialize(input).value : nullptr);
  node.attributes = std::move(attributes);
  node.outputs = outputs;
  node.origin = origin_;
  node.graph = scope_;
  downgrade_.control(*this, node);
  Node* made = model_.add_node(std::move(node));
  scope_->nodes.push_back(made);
  for (Value* output : outputs) {
    output->producer = made;
    carry(output);
  }
}

}  // namespace cameo::onnx
