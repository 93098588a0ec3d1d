#include <fmt/core.h>

#include "onnx/check/context.h"

namespace cameo::onnx {
namespace {

struct Counts {
  std::size_t inputs, outputs;
};

void check_subgraph(Report& report, const proto::Node& node, std::string_view name, Counts wanted) {
  const proto::Attribute* attribute = find_attribute(node, name);
  if (attribute == nullptr || !attribute->g) return;
  const auto expect = [&](std::size_t found, std::size_t expected, std::string_view what, Code code) {
    if (found != expected)
      report.error(code, fmt::format("its {} must have {} {}{}, and has {}", name, expected, what,
                                     expected == 1 ? "" : "s", found));
  };
  expect(attribute->g->inputs.size(), wanted.inputs, "input", Code::subgraph_inputs);
  expect(attribute->g->outputs.size(), wanted.outputs, "output", Code::subgraph_outputs);
}

void check_scan(Report& report, const proto::Node& node, std::int64_t opset) {
  const proto::Attribute* count = find_attribute(node, "num_scan_inputs");
  const std::size_t inputs = node.inputs.size() - (opset < 9 && !node.inputs.empty() ? 1 : 0);
  const std::int64_t scanned = count ? count->i.value_or(0) : 0;
  if (count && count->ref_attr_name.empty() && (scanned < 1 || static_cast<std::uint64_t>(scanned) > inputs))
    report.error(Code::scan_inputs,
                 fmt::format("num_scan_inputs is {}, and it has {} inputs", scanned, inputs));
  check_subgraph(report, node, "body", {inputs, node.outputs.size()});
}

}  // namespace

void check_control(const Context& context, const proto::Node& node, std::int64_t opset) {
  Report& report = context.report;
  if (node.op_type == "If") {
    for (const char* branch : {"then_branch", "else_branch"})
      check_subgraph(report, node, branch, {0, node.outputs.size()});
  } else if (node.op_type == "Loop") {
    // Iteration number and condition go in, the condition and every result come out.
    const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
    check_subgraph(report, node, "body", {2 + carried, 1 + node.outputs.size()});
    if (node.outputs.size() < carried)
      report.error(Code::loop_outputs,
                   fmt::format("it carries {} values, but has {} outputs", carried, node.outputs.size()));
  } else if (node.op_type == "Scan") {
    check_scan(report, node, opset);
  } else if (node.op_type == "SequenceMap") {
    check_subgraph(report, node, "body", {node.inputs.size(), node.outputs.size()});
  }
}

}  // namespace cameo::onnx
