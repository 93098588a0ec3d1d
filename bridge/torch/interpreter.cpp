#include "interpreter.h"

#include <fmt/format.h>

#include "base/index.h"
#include "failures.h"
#include "higher_order.h"
#include "python_numbers.h"
#include "values.h"

namespace cameo::torch {
namespace {

std::string label(const exported::Node& node) {
  if (!node.name.empty()) return std::string(node.name);
  for (const exported::Argument& output : node.outputs)
    if (const auto* tensor = output.get_if<exported::TensorName>()) return std::string(tensor->name);
  return std::string(node.target);
}

// The element type that the graph records for the only or first result.
std::optional<DType> recorded_type(const exported::Node& node, const exported::Graph& graph) {
  if (node.outputs.empty()) return std::nullopt;
  const auto* name = node.outputs.front().get_if<exported::TensorName>();
  const exported::TensorMeta* meta = name ? graph.tensor(name->name) : nullptr;
  if (!meta || !is_floating(meta->dtype)) return std::nullopt;
  return meta->dtype;
}

bool is_of_type(const std::vector<c10::IValue>& results, DType type) {
  return results.empty() || !results.front().isTensor() ||
         static_cast<std::int64_t>(results.front().toTensor().scalar_type()) == torch_number(type);
}

c10::IValue cast(const c10::IValue& value, DType type) {
  if (!value.isTensor() || !value.toTensor().is_floating_point()) return value;
  return value.toTensor().to(static_cast<c10::ScalarType>(torch_number(type)));
}

void bind_results(const exported::Node& node, const std::vector<c10::IValue>& results, Scope& scope) {
  // Older files have all results of a higher-order operator in one list.
  if (node.outputs.size() == 1 && node.outputs.front().get_if<std::vector<exported::TensorName>>() &&
      !(results.size() == 1 && results.front().isList())) {
    c10::impl::GenericList all(c10::AnyType::get());
    for (const c10::IValue& result : results) all.push_back(result);
    return scope.bind(node.outputs.front(), all);
  }
  for (std::size_t i = 0; i < std::min(node.outputs.size(), results.size()); ++i)
    scope.bind(node.outputs[i], results[i]);
}

}  // namespace

std::vector<c10::IValue> Interpreter::run(const exported::Graph& graph,
                                          const std::vector<c10::IValue>& inputs) {
  Scope scope(graph);
  for (std::size_t i = 0; i < std::min(graph.inputs.size(), inputs.size()); ++i)
    scope.bind(graph.inputs[i], inputs[i]);
  for (const exported::Node& node : graph.nodes) {
    const std::vector<c10::IValue> results = explained(
        {}, Code::torch_refuses, [&] { return run_node(node, scope); },
        [&](Diagnostic& diagnostic) {
          diagnostic.notes.push_back(
              fmt::format("at the node '{}', a call of {}", label(node), operator_name(node.target)));
        });
    bind_results(node, results, scope);
    if (record_) record(node, results);
  }
  std::vector<c10::IValue> outputs;
  for (const exported::Argument& output : graph.outputs) outputs.push_back(scope.value(output));
  return outputs;
}

std::vector<c10::IValue> Interpreter::run_node(const exported::Node& node, Scope& scope) {
  if (const HigherOrder higher_order = find_higher_order(node.target))
    return higher_order(*this, node, scope);
  if (const NumberFunction function = find_number_function(node.target)) {
    std::vector<c10::IValue> numbers;
    for (const exported::NamedArgument& input : node.inputs) numbers.push_back(scope.value(input.value));
    return {function(numbers)};
  }
  return call_operator(node, scope);
}

std::vector<c10::IValue> Interpreter::call_operator(const exported::Node& node, const Scope& scope) const {
  std::vector<std::pair<std::string_view, c10::IValue>> arguments;
  for (const exported::NamedArgument& input : node.inputs)
    arguments.emplace_back(input.name, scope.value(input.value));
  std::vector<c10::IValue> results = call(node.target, arguments);
  const auto type = recorded_types_ ? recorded_type(node, scope.graph()) : std::nullopt;
  if (!type || is_of_type(results, *type) || operators_.at(node.target).schema.is_mutable()) return results;
  for (auto& [name, value] : arguments) value = cast(value, *type);
  return call(node.target, arguments);
}

std::vector<c10::IValue> Interpreter::call(
    std::string_view target, const std::vector<std::pair<std::string_view, c10::IValue>>& arguments) const {
  const TorchOperator& op = operators_.at(target);
  const std::vector<c10::Argument>& parameters = op.schema.arguments();
  std::vector<std::optional<c10::IValue>> bound(parameters.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& [name, value] = arguments[i];
    const std::size_t place =
        name.empty() ? i : position_in(parameters, std::ranges::find(parameters, name, &c10::Argument::name));
    TORCH_CHECK(place < parameters.size(), "the operator has no argument '", std::string(name), "'");
    bound[place] = fit(value, parameters[place]);
  }
  ::torch::jit::Stack stack;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (bound[i]) {
      stack.push_back(std::move(*bound[i]));
    } else if (parameters[i].default_value()) {
      stack.push_back(*parameters[i].default_value());
    } else {
      TORCH_CHECK(parameters[i].type()->kind() == c10::TypeKind::OptionalType, "the argument '",
                  parameters[i].name(), "' is missing");
      stack.emplace_back();
    }
  }
  op.call(stack);
  return stack;
}

void Interpreter::record(const exported::Node& node, const std::vector<c10::IValue>& results) {
  const std::string name = operator_name(node.target);
  verify::Operation operation{.op = name.substr(0, name.find('.'))};
  try {
    for (const c10::IValue& result : results) flatten(result, operation.results);
  } catch (const Error&) {  // elements that nothing is compared with
  }
  if (!operation.results.empty()) record_->push_back(std::move(operation));
}

}  // namespace cameo::torch
