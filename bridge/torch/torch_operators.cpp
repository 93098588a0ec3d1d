#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <torch/version.h>

#include "base/text.h"
#include "cameo/diagnostic.h"
#include "higher_order.h"
#include "python_numbers.h"
#include "substitutes.h"
#include "torch_operators.h"

namespace cameo::torch {
namespace {

constexpr std::string_view kOperatorPrefix = "torch.ops.";

bool has_arguments(const c10::FunctionSchema& schema, const std::vector<exported::NamedArgument>& arguments) {
  return std::ranges::all_of(arguments, [&](const exported::NamedArgument& argument) {
    return argument.name.empty() || schema.argumentIndexWithName(std::string(argument.name));
  });
}

std::optional<TorchOperator> find_in_dispatcher(const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto handle = c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == name.npos ? std::string() : name.substr(dot + 1)});
  if (!handle) return std::nullopt;
  return TorchOperator{handle->schema(),
                       [handle = *handle](::torch::jit::Stack& stack) { handle.callBoxed(stack); }};
}

}  // namespace

std::string operator_name(std::string_view target) {
  if (!target.starts_with(kOperatorPrefix)) return std::string(target);
  target.remove_prefix(kOperatorPrefix.size());
  const std::size_t dot = target.find('.');
  if (dot == target.npos) return std::string(target);
  std::string name = fmt::format("{}::{}", target.substr(0, dot), target.substr(dot + 1));
  constexpr std::string_view kDefault = ".default";
  if (name.ends_with(kDefault)) name.resize(name.size() - kDefault.size());
  return name;
}

TorchOperators::TorchOperators(const exported::Graph& graph, const std::string& file) {
  find_all(graph);
  if (missing_.empty()) return;
  throw Error(Diagnostic{
      .code = Code::torch_cannot_load,
      .message = fmt::format("libtorch {} cannot run the program, because it lacks these operators: {}",
                             TORCH_VERSION, join(std::vector(missing_.begin(), missing_.end()), ", ")),
      .file = file,
      .hint =
          "use a bridge that is built with a newer libtorch, or name the library that has the operators with "
          "--load"});
}

void TorchOperators::find_all(const exported::Graph& graph) {
  for (const exported::Node& node : graph.nodes) {
    const bool higher_order = find_higher_order(node.target) != nullptr;
    if (!higher_order && !find_number_function(node.target)) find(node.target, node.inputs);
    for (const exported::NamedArgument& input : node.inputs) {
      if (const auto* subgraph = input.value.get_if<exported::Subgraph>()) find_all(*subgraph->graph);
      if (const auto* op = input.value.get_if<exported::Operator>(); op && higher_order) find(op->target, {});
    }
  }
}

void TorchOperators::find(std::string_view target, const std::vector<exported::NamedArgument>& arguments) {
  const auto known = found_.find(target);
  if (known != found_.end() && has_arguments(known->second.schema, arguments)) return;
  const std::string name = operator_name(target);
  for (const auto& search : {find_lenient, find_in_dispatcher, find_substitute}) {
    auto found = search(name);
    if (!found || !has_arguments(found->schema, arguments)) continue;
    found_.insert_or_assign(target, std::move(*found));
    return;
  }
  missing_.insert(name);
}

}  // namespace cameo::torch
