// Loops over the first axis, and wrappers around graphs and operators.

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "exported/lower/expressions.h"
#include "exported/lower/method_writer.h"

namespace cameo::exported {
namespace {

using Texts = std::vector<std::string>;

Texts each(const Texts& texts, std::string_view before, std::string_view after) {
  Texts out;
  for (const std::string& text : texts) out.push_back(fmt::format("{}{}{}", before, text, after));
  return out;
}

}  // namespace

// The results of a loop, one list per result: names of the lists.
Texts MethodWriter::empty_lists(std::size_t count) {
  Texts lists;
  for (std::size_t i = 0; i < count; ++i)
    line(fmt::format("{} = annotate(List[Tensor], [])", lists.emplace_back(variables_.fresh("list"))));
  return lists;
}

void MethodWriter::append(const Texts& lists, const Texts& values) {
  for (std::size_t i = 0; i < lists.size(); ++i)
    line(fmt::format("{} = torch.append({}, {})", variables_.fresh("unused"), lists[i], values[i]));
}

void MethodWriter::stack(const Texts& results, const Texts& lists, std::string_view op) {
  for (std::size_t i = 0; i < results.size(); ++i)
    line(fmt::format("{} = torch.{}({}, 0)", results[i], op, lists[i]));
}

// map_impl(body, xs, additional)
void MethodWriter::map(const Node& node) {
  const std::string body = method(argument(node, 0)), index = variables_.fresh("index");
  const Texts xs = list_argument(node, 1), additional = list_argument(node, 2), results = targets(node);
  if (xs.empty()) return operator_call(node);
  const Texts lists = empty_lists(results.size());
  line(fmt::format("for {} in range(torch.size({}, 0)):", index, xs[0]));
  {
    const Indented indented(*this);
    const Texts items = each(xs, "torch.select(", fmt::format(", 0, {})", index));
    Texts values;
    for (std::size_t i = 0; i < results.size(); ++i) values.push_back(variables_.fresh("item"));
    unpack(values, call(body, {items, additional}));
    append(lists, values);
  }
  stack(results, lists, "stack");
}

// scan(combine, init, xs, additional). Until PyTorch 2.6: scan(combine, init, xs, dim, reverse, additional).
void MethodWriter::scan(const Node& node) {
  const std::string combine = method(argument(node, 0)), index = variables_.fresh("index");
  const Texts init = list_argument(node, 1), results = targets(node);
  Texts xs = list_argument(node, 2);
  const bool with_dim = node.inputs.size() > 4;
  const Texts additional = list_argument(node, with_dim ? 5 : 3);
  const std::int64_t* dim = with_dim ? node.inputs[3].value.get_if<std::int64_t>() : nullptr;
  const bool* reverse = with_dim ? node.inputs[4].value.get_if<bool>() : nullptr;
  if (xs.empty() || init.size() > results.size()) return operator_call(node);
  if (dim && *dim != 0) xs = each(xs, "torch.movedim(", fmt::format(", {}, 0)", *dim));
  const Texts carried(results.begin(), results.begin() + std::ssize(init));
  const Texts stacked(results.begin() + std::ssize(init), results.end());
  for (std::size_t i = 0; i < init.size(); ++i) line(fmt::format("{} = {}", carried[i], init[i]));
  const Texts lists = empty_lists(stacked.size());
  const std::string count = fmt::format("torch.size({}, 0)", xs[0]);
  line(fmt::format("for {} in range({}):", index, count));
  {
    const Indented indented(*this);
    const std::string at = reverse && *reverse ? fmt::format("{} - 1 - {}", count, index) : index;
    Texts values = carried;
    for (std::size_t i = 0; i < stacked.size(); ++i) values.push_back(variables_.fresh("item"));
    unpack(values,
           call(combine, {carried, each(xs, "torch.select(", fmt::format(", 0, {})", at)), additional}));
    append(lists, Texts(values.begin() + std::ssize(carried), values.end()));
  }
  stack(stacked, lists, "stack");
  if (reverse && *reverse)
    for (const std::string& result : stacked) line(fmt::format("{0} = torch.flip({0}, [0])", result));
}

// associative_scan(combine, xs, additional). Until PyTorch 2.6: associative_scan(combine, xs, dim). The order of the combinations does not matter, so this one
// combines from the front to the back.
void MethodWriter::associative_scan(const Node& node) {
  const std::string combine = method(argument(node, 0)), index = variables_.fresh("index");
  const std::int64_t* dim = node.inputs.size() > 2 ? node.inputs[2].value.get_if<std::int64_t>() : nullptr;
  Texts xs = list_argument(node, 1);
  const Texts additional = dim ? Texts() : list_argument(node, 2), results = targets(node);
  if (xs.empty() || xs.size() != results.size()) return operator_call(node);
  if (dim) xs = each(xs, "torch.movedim(", fmt::format(", {}, 0)", *dim));
  const bool keeps_axis = combines_slices(node);
  const auto items_at = [&](const std::string& at) {
    return keeps_axis ? each(xs, "torch.narrow(", fmt::format(", 0, {}, 1)", at))
                      : each(xs, "torch.select(", fmt::format(", 0, {})", at));
  };
  const Texts lists = empty_lists(xs.size());
  Texts sums;
  for (const std::string& first : items_at("0"))
    line(fmt::format("{} = {}", sums.emplace_back(variables_.fresh("sum")), first));
  append(lists, sums);
  line(fmt::format("for {} in range(torch.size({}, 0) - 1):", index, xs[0]));
  {
    const Indented indented(*this);
    unpack(sums, call(combine, {sums, items_at(index + " + 1"), additional}));
    append(lists, sums);
  }
  stack(results, lists, keeps_axis ? "cat" : "stack");
  for (const std::string& result : results)
    if (dim) line(fmt::format("{0} = torch.movedim({0}, 0, {1})", result, *dim));
}

// Whether the combining graph takes slices that still have the axis of the scan, not single items.
bool MethodWriter::combines_slices(const Node& node) const {
  const Subgraph* combine = argument(node, 0).get_if<Subgraph>();
  const auto* xs = argument(node, 1).get_if<std::vector<TensorName>>();
  if (!combine || !xs || xs->empty() || combine->graph->inputs.empty()) return false;
  const TensorName* input = combine->graph->inputs[0].get_if<TensorName>();
  const TensorMeta* inner = input ? combine->graph->tensor(input->name) : nullptr;
  const TensorMeta* outer = task_.graph->tensor(xs->front().name);
  return inner && outer && inner->sizes.size() == outer->sizes.size();
}

// wrap(…, graph, operands…). Strings among the operands are identifiers of the graph.
void MethodWriter::inlined(const Node& node, bool autocast) {
  std::string name;
  Texts operands;
  for (const NamedArgument& input : node.inputs) {
    if (input.value.get_if<Subgraph>())
      name = method(input.value, autocast && autocast_enabled(node));
    else if (!name.empty() && !input.value.get_if<std::string_view>() && is_operand(input))
      for (std::string& item : items(input.value, variables_)) operands.push_back(std::move(item));
  }
  if (name.empty()) return operator_call(node);
  unpack(targets(node), call(name, {operands}));
}

// Keyword arguments of a wrapper are options, not operands.
bool MethodWriter::is_operand(const NamedArgument& input) { return input.kind != ArgumentKind::keyword; }

// wrap_with_autocast(device, dtype, enabled, cache, graph, operands…)
bool MethodWriter::autocast_enabled(const Node& node) {
  const bool* enabled = node.inputs.size() > 2 ? node.inputs[2].value.get_if<bool>() : nullptr;
  return !enabled || *enabled;
}

// with_effects(token, operator, arguments…) → new token, results
void MethodWriter::with_effects(const Node& node) {
  const Operator* op = node.inputs.size() > 1 ? node.inputs[1].value.get_if<Operator>() : nullptr;
  Texts results = targets(node);
  if (!op || results.empty()) return operator_call(node);
  line(fmt::format("{} = None", results[0]));
  results.erase(results.begin());
  const std::string effect = fmt::format("{}({})", callee(op->target), arguments(node, 2));
  line(results.empty() ? effect : fmt::format("{} = {}", join(results, ", "), effect));
}

// auto_functionalized(operator, arguments…) → results, the arguments that the operator writes. The file does not
// say which these are, so each tensor is copied, and cameo::functionalized finds the copies that were written.
void MethodWriter::auto_functionalized_without_bases(const Node& node) {
  const Operator* op = argument(node, 0).get_if<Operator>();
  if (!op) return operator_call(node);
  Texts copies, given;
  const auto copy = [&](const std::string& tensor) {
    line(fmt::format("{} = torch.clone({})", copies.emplace_back(variables_.fresh("copy")), tensor));
    return copies.back();
  };
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Argument& value = node.inputs[i].value;
    std::string text;
    if (value.get_if<TensorName>()) {
      text = copy(expression(value, variables_));
    } else if (value.get_if<std::vector<TensorName>>()) {
      Texts list;
      for (const std::string& tensor : items(value, variables_)) list.push_back(copy(tensor));
      text = fmt::format("[{}]", join(list, ", "));
    } else {
      text = expression(value, variables_);
    }
    given.push_back(fmt::format("{}={}", argument_name(node.inputs[i].name), text));
  }
  const std::string done = variables_.fresh("done");
  line(fmt::format("{} = {}({})", done, callee(op->target), join(given, ", ")));
  unpack(targets(node), fmt::format("ops.cameo.functionalized({}, [{}])", done, join(copies, ", ")));
}

// auto_functionalized_v2(operator, arguments…, _x_base_index=0, _all_bases=[base]) → results, new bases. The
// argument x is bases[0] itself.
void MethodWriter::auto_functionalized(const Node& node) {
  const Operator* op = argument(node, 0).get_if<Operator>();
  Texts bases, given;
  for (const NamedArgument& input : node.inputs)
    if (input.name == "_all_bases") bases = items(input.value, variables_);
  const Texts results = targets(node);
  if (!op || bases.size() > results.size()) return operator_call(node);
  const Texts copies(results.end() - std::ssize(bases), results.end());
  for (std::size_t i = 0; i < bases.size(); ++i)
    line(fmt::format("{} = torch.clone({})", copies[i], bases[i]));
  constexpr std::string_view kIndex = "_base_index";
  for (const NamedArgument& input : node.inputs) {
    if (input.value.get_if<Operator>()) continue;
    const std::int64_t* base = input.value.get_if<std::int64_t>();
    if (!input.name.starts_with("_"))
      given.push_back(fmt::format("{}={}", argument_name(input.name), expression(input.value, variables_)));
    else if (input.name.ends_with(kIndex) && base && *base >= 0 && *base < std::ssize(copies))
      given.push_back(fmt::format("{}={}",
                                  argument_name(input.name.substr(1, input.name.size() - 1 - kIndex.size())),
                                  copies[static_cast<std::size_t>(*base)]));
    else if (input.name.ends_with("_size") || input.name.ends_with("_slice_dim"))
      return operator_call(node);  // the argument is a view of the base
  }
  const Texts own(results.begin(), results.end() - std::ssize(bases));
  const std::string effect = fmt::format("{}({})", callee(op->target), join(given, ", "));
  line(own.empty() ? effect : fmt::format("{} = {}", join(own, ", "), effect));
}

}  // namespace cameo::exported
