#pragma once
// Small torch.export programs built in memory, for tests only.
#include <fmt/core.h>

#include <string>
#include <string_view>

#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::exported::testing {

// A message of the first diagnostic of the Error that `run` throws: "record@offset: message [code]".
template <class F>
std::string error_of(const F& run) {
  try {
    run();
  } catch (const Error& error) {
    const Diagnostic& diagnostic = error.diagnostics().front();
    std::string place = diagnostic.record;
    if (diagnostic.offset) place += fmt::format("@{}", *diagnostic.offset);
    if (!place.empty()) place += ": ";
    return fmt::format("{}{} [{}]", place, diagnostic.message, name(diagnostic.code));
  }
  return "no error";
}

inline std::string meta(std::string_view sizes = R"([{"as_int": 2}])",
                        std::string_view strides = R"([{"as_int": 1}])", int dtype = 7, int offset = 0) {
  return fmt::format(
      R"({{"dtype": {}, "sizes": {}, "requires_grad": false, "device": {{"type": "cpu", "index": null}}, )"
      R"("strides": {}, "storage_offset": {{"as_int": {}}}, "layout": 7}})",
      dtype, sizes, strides, offset);
}

// y = relu(x + w), as schema 8 writes it.
struct ProgramText {
  std::string inputs = R"([{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])";
  std::string outputs = R"([{"as_tensor": {"name": "relu"}}])";
  std::string nodes =
      R"([{"target": "torch.ops.aten.add.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, )"
      R"("kind": 1}, {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}], )"
      R"("outputs": [{"as_tensor": {"name": "add"}}], "metadata": {"stack_trace": "File \"a.py\", line 3\n"}, )"
      R"("is_hop_single_tensor_return": null, "name": "add"}, )"
      R"({"target": "torch.ops.aten.relu.default", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "add"}}, )"
      R"("kind": 1}], "outputs": [{"as_tensor": {"name": "relu"}}], "metadata": {}}])";
  std::string tensors = fmt::format(R"({{"p_w": {0}, "x": {0}, "add": {0}, "relu": {0}}})", meta());
  std::string more_graph;  // further members of the graph, with a comma in front
  std::string signature =
      R"({"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}, )"
      R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], )"
      R"("output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]})";
  std::string calls = "[]";
  std::string more_module;  // further members of the graph module
  std::string version = R"({"major": 8, "minor": 14})";
  std::string ranges = "{}";
  std::string more;  // further members of the program

  std::string graph() const {
    return fmt::format(
        R"({{"inputs": {}, "outputs": {}, "nodes": {}, "tensor_values": {}, "sym_int_values": {{}}, )"
        R"("sym_bool_values": {{}}{}}})",
        inputs, outputs, nodes, tensors, more_graph);
  }
  std::string text() const {
    return fmt::format(R"({{"graph_module": {{"graph": {}, "signature": {}, "module_call_graph": {}{}}}, )"
                       R"("opset_version": {{"aten": 10}}, "range_constraints": {}, "schema_version": {}, )"
                       R"("verifiers": ["TRAINING"], "torch_version": "2.9.1+cpu"{}}})",
                       graph(), signature, calls, more_module, ranges, version, more);
  }
};

}  // namespace cameo::exported::testing
