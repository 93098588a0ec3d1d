#include <algorithm>

#include <fmt/core.h>

#include "onnx/check/context.h"
#include "onnx/proto/visit.h"

namespace cameo::onnx {
namespace {

using proto::Function;

std::string full_name(const Function& function) {
  return fmt::format("{}::{}{}{}", Imports::key(function.domain), function.name,
                     function.overload.empty() ? "" : ":", function.overload);
}

void check_unique(Report& report, const std::vector<proto::Text>& names, std::string_view what) {
  std::set<std::string_view> seen;
  for (const std::string_view name : names)
    if (!seen.insert(name).second)
      report.error(Code::duplicate_name, fmt::format("two {}s of the function are called '{}'", what, name));
}

void check_body(const Context& context, const Function& function) {
  Report& report = context.report;
  if (function.name.empty()) report.error(Code::empty_name, "the function has no name");
  if (!proto::present(function.domain))
    report.error(Code::no_domain, "the function does not state its domain");
  check_unique(report, function.inputs, "input");
  check_unique(report, function.outputs, "output");
  check_unique(report, function.attributes, "attribute");
  const Imports imports = read_imports(function.opset_imports, report);
  Context inside = context;
  inside.imports = &imports;
  inside.function = &function;
  inside.main = false;
  Scope scope;
  for (const std::string_view input : function.inputs) scope.add(input, std::nullopt);
  check_nodes(inside, function.nodes, scope, {});
  for (const std::string_view output : function.outputs)
    if (!scope.here(output))
      report.error(Code::output_not_made,
                   fmt::format("nothing makes '{}', an output of the function", output));
}

using Callees = std::set<const Function*>;

void add_callees(const Context& context, const std::vector<proto::Node>& nodes, Callees& callees) {
  proto::each_node(nodes, [&](const proto::Node& node) {
    const auto found = context.functions.find({Imports::key(node.domain), node.op_type, node.overload});
    if (found != context.functions.end()) callees.insert(found->second);
  });
}

// Functions that only call functions which are in order are in order; the others call themselves in the end.
void check_recursion(const Context& context, const proto::Model& model) {
  std::map<const Function*, Callees> callers;
  std::map<const Function*, std::size_t> open;  // callees that are not known to be in order
  std::vector<const Function*> fine;
  for (const Function& function : model.functions) {
    Callees callees;
    add_callees(context, function.nodes, callees);
    for (const Function* callee : callees) callers[callee].insert(&function);
    open[&function] = callees.size();
    if (callees.empty()) fine.push_back(&function);
  }
  while (!fine.empty()) {
    const Function* function = fine.back();
    fine.pop_back();
    for (const Function* caller : callers[function])
      if (--open[caller] == 0) fine.push_back(caller);
  }
  for (const Function& function : model.functions) {
    if (open[&function] == 0) continue;
    const Report::At at(context.report, fmt::format("the function {}", full_name(function)));
    context.report.error(Code::recursive_function,
                         "its calls never end: it leads to a function that calls itself");
  }
}

}  // namespace

void check_call(const Context& context, const proto::Node& node, const Function& function) {
  Report& report = context.report;
  if (node.inputs.size() > function.inputs.size())
    report.error(Code::input_count, fmt::format("the function takes at most {} inputs, but the node has {}",
                                                function.inputs.size(), node.inputs.size()));
  if (node.outputs.size() > function.outputs.size())
    report.error(Code::output_count, fmt::format("the function has at most {} outputs, but the node has {}",
                                                 function.outputs.size(), node.outputs.size()));
  for (const proto::Attribute& attribute : node.attributes)
    if (!attribute.name.starts_with("__") &&
        std::ranges::find(function.attributes, attribute.name) == function.attributes.end() &&
        std::ranges::find(function.attribute_defaults, attribute.name, &proto::Attribute::name) ==
            function.attribute_defaults.end())
      report.error(Code::unknown_attribute,
                   fmt::format("the function has no attribute '{}'", attribute.name));
}

void check_functions(const Context& context, const proto::Model& model) {
  if (model.functions.empty()) return;
  if (context.ir_version < 8)
    context.report.warning(
        Code::functions_before_ir_8,
        fmt::format("the model has functions, which version {} of the IR does not know", context.ir_version));
  Imports merged = *context.model_imports;
  for (const Function& function : model.functions)
    for (const proto::OpsetImport& import : function.opset_imports)
      if (!merged.version(import.domain)) merged.add(import.domain, import.version.value_or(0));
  Context inside = context;
  inside.model_imports = &merged;
  std::set<FunctionKey> seen;
  for (const Function& function : model.functions) {
    const Report::At at(context.report, fmt::format("the function {}", full_name(function)));
    if (!seen.insert({Imports::key(function.domain), function.name, function.overload}).second)
      context.report.error(Code::duplicate_function, "another function has the same name");
    check_body(inside, function);
  }
  check_recursion(context, model);
}

}  // namespace cameo::onnx
