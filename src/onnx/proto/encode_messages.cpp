#include "onnx/proto/encode_fields.h"

namespace cameo::onnx::proto {

void put(Writer& w, const Model& model) {
  w.field(1, model.ir_version);
  w.field(2, model.producer_name);
  w.field(3, model.producer_version);
  w.field(4, model.domain);
  w.field(5, model.model_version);
  w.field(6, model.doc_string);
  w.field(7, model.graph);
  w.field(8, model.opset_imports);
  w.field(14, model.metadata);
  w.field(20, model.training);
  w.field(25, model.functions);
  w.field(26, model.configurations);
  w.unknown(model.unknown);
}

void put(Writer& w, const Function& function) {
  w.field(1, function.name);
  w.field(4, function.inputs);
  w.field(5, function.outputs);
  w.field(6, function.attributes);
  w.field(7, function.nodes);
  w.field(8, function.doc_string);
  w.field(9, function.opset_imports);
  w.field(10, function.domain);
  w.field(11, function.attribute_defaults);
  w.field(12, function.value_infos);
  w.field(13, function.overload);
  w.field(14, function.metadata);
  w.unknown(function.unknown);
}

void put(Writer& w, const TrainingInfo& training) {
  w.field(1, training.initialization);
  w.field(2, training.algorithm);
  w.field(3, training.initialization_bindings);
  w.field(4, training.update_bindings);
  w.unknown(training.unknown);
}

void put(Writer& w, const OpsetImport& import) {
  w.field(1, import.domain);
  w.field(2, import.version);
  w.unknown(import.unknown);
}

void put(Writer& w, const Entry& entry) {
  w.field(1, entry.key);
  w.field(2, entry.value);
  w.unknown(entry.unknown);
}

void put(Writer& w, const Graph& graph) {
  w.field(1, graph.nodes);
  w.field(2, graph.name);
  w.field(5, graph.initializers);
  w.field(10, graph.doc_string);
  w.field(11, graph.inputs);
  w.field(12, graph.outputs);
  w.field(13, graph.value_infos);
  w.field(14, graph.annotations);
  w.field(15, graph.sparse_initializers);
  w.field(16, graph.metadata);
  w.unknown(graph.unknown);
}

void put(Writer& w, const Annotation& annotation) {
  w.field(1, annotation.tensor_name);
  w.field(2, annotation.quantization);
  w.unknown(annotation.unknown);
}

void put(Writer& w, const Node& node) {
  w.field(1, node.inputs);
  w.field(2, node.outputs);
  w.field(3, node.name);
  w.field(4, node.op_type);
  w.field(5, node.attributes);
  w.field(6, node.doc_string);
  w.field(7, node.domain);
  w.field(8, node.overload);
  w.field(9, node.metadata);
  w.field(10, node.device_configurations);
  w.unknown(node.unknown);
}

void put(Writer& w, const Attribute& attribute) {
  w.field(1, attribute.name);
  w.field(2, attribute.f);
  w.field(3, attribute.i);
  w.field(4, attribute.s);
  w.field(5, attribute.t);
  w.field(6, attribute.g);
  w.field(7, attribute.floats);
  w.field(8, attribute.ints);
  w.field(9, attribute.strings);
  w.field(10, attribute.tensors);
  w.field(11, attribute.graphs);
  w.field(13, attribute.doc_string);
  w.field(14, attribute.tp);
  w.field(15, attribute.type_protos);
  w.field(20, attribute.type);
  w.field(21, attribute.ref_attr_name);
  w.field(22, attribute.sparse_tensor);
  w.field(23, attribute.sparse_tensors);
  w.unknown(attribute.unknown);
}

}  // namespace cameo::onnx::proto
