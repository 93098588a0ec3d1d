#include "higher_order.h"

#include <ATen/Functions.h>
#include <ATen/autocast_mode.h>
#include <fmt/format.h>
#include <torch/version.h>

#include "cameo/diagnostic.h"

namespace cameo::torch {
namespace {

using Values = std::vector<c10::IValue>;

// The arguments of a call: those without a name, in order.
class HigherOrderCall {
 public:
  HigherOrderCall(Interpreter& interpreter, const exported::Node& node, const Scope& scope)
      : interpreter_(interpreter), node_(node), scope_(scope) {}

  const exported::Argument& argument(std::size_t index) const {
    TORCH_CHECK(index < node_.inputs.size(), "the call has too few arguments");
    return node_.inputs[index].value;
  }
  std::size_t count() const { return node_.inputs.size(); }
  c10::IValue value(std::size_t index) const { return scope_.value(argument(index)); }
  Values list(std::size_t index) const { return scope_.values(argument(index)); }
  // The arguments from an index on; those with a name are settings of the operator.
  Values rest(std::size_t index) const {
    Values out;
    for (; index < node_.inputs.size(); ++index)
      if (node_.inputs[index].name.empty()) out.push_back(value(index));
    return out;
  }

  Values run(std::size_t index, const Values& operands) const {
    const auto* subgraph = argument(index).get_if<exported::Subgraph>();
    TORCH_CHECK(subgraph, "the argument ", index, " of the call is not a graph");
    return interpreter_.run(*subgraph->graph, operands);
  }
  std::string_view target(std::size_t index) const {
    const auto* op = argument(index).get_if<exported::Operator>();
    TORCH_CHECK(op, "the argument ", index, " of the call is not an operator");
    return op->target;
  }
  Interpreter& interpreter() const { return interpreter_; }
  const exported::Node& node() const { return node_; }
  const Scope& scope() const { return scope_; }

 private:
  Interpreter& interpreter_;
  const exported::Node& node_;
  const Scope& scope_;
};

bool is_true(const c10::IValue& condition) {
  if (condition.isTensor()) return condition.toTensor().item().toBool();
  return condition.toScalar().toBool();
}

Values joined(Values first, const Values& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Values run_cond(const HigherOrderCall& call) {
  return call.run(is_true(call.value(0)) ? 1 : 2, call.list(3));
}

Values run_while_loop(const HigherOrderCall& call) {
  Values carried = call.list(2);
  const Values additional = call.list(3);
  while (is_true(call.run(0, joined(carried, additional)).front()))
    carried = call.run(1, joined(carried, additional));
  return carried;
}

// The element at `index` of each, along the first axis.
Values elements_at(const Values& tensors, std::int64_t index) {
  Values out;
  for (const c10::IValue& tensor : tensors) out.emplace_back(tensor.toTensor().select(0, index));
  return out;
}

// One tensor for each result, of the results of all steps, along a new first axis.
Values stacked(const std::vector<Values>& steps, std::size_t first) {
  Values out;
  for (std::size_t i = first; !steps.empty() && i < steps.front().size(); ++i) {
    std::vector<at::Tensor> parts;
    for (const Values& step : steps) parts.push_back(step[i].toTensor());
    out.emplace_back(at::stack(parts));
  }
  return out;
}

Values run_map(const HigherOrderCall& call) {
  const Values mapped = call.list(1), extra = call.list(2);
  TORCH_CHECK(!mapped.empty(), "map needs a tensor");
  std::vector<Values> steps;
  for (std::int64_t i = 0; i < mapped.front().toTensor().size(0); ++i)
    steps.push_back(call.run(0, joined(elements_at(mapped, i), extra)));
  TORCH_CHECK(!steps.empty(), "map over no elements");
  return stacked(steps, 0);
}

// PyTorch 2.5 and 2.6 have the axis and the direction as arguments; later versions permute and flip outside.
struct ScanForm {
  std::int64_t axis = 0;
  bool reverse = false;
  std::size_t additional = 0;  // the index of the list of additional operands
};
ScanForm scan_form(const HigherOrderCall& call, std::size_t after_tensors) {
  ScanForm form{.additional = after_tensors};
  if (after_tensors < call.count() && call.argument(after_tensors).get_if<std::int64_t>()) {
    form.axis = call.value(after_tensors).toInt();
    ++form.additional;
    if (form.additional < call.count() && call.argument(form.additional).get_if<bool>())
      form.reverse = call.value(form.additional++).toBool();
  }
  return form;
}

Values moved(const Values& tensors, std::int64_t from, std::int64_t to) {
  Values out;
  for (const c10::IValue& tensor : tensors) out.emplace_back(tensor.toTensor().movedim(from, to));
  return out;
}

Values run_scan(const HigherOrderCall& call) {
  Values carried = call.list(1);
  const std::size_t carries = carried.size();
  const ScanForm form = scan_form(call, 3);
  const Values scanned = moved(call.list(2), form.axis, 0);
  const Values additional = form.additional < call.count() ? call.list(form.additional) : Values();
  TORCH_CHECK(!scanned.empty(), "scan needs a tensor");
  const std::int64_t length = scanned.front().toTensor().size(0);
  TORCH_CHECK(length > 0, "scan over no elements");
  std::vector<Values> steps;
  for (std::int64_t i = 0; i < length; ++i) {
    const Values elements = elements_at(scanned, form.reverse ? length - 1 - i : i);
    steps.push_back(call.run(0, joined(joined(carried, elements), additional)));
    carried.assign(steps.back().begin(), steps.back().begin() + static_cast<std::ptrdiff_t>(carries));
  }
  if (form.reverse) std::ranges::reverse(steps);
  return joined(carried, stacked(steps, carries));
}

// The combining function takes elements; that of the generic mode takes tensors with several of them.
Values run_associative_scan(const HigherOrderCall& call) {
  const ScanForm form = scan_form(call, 2);
  const Values scanned = moved(call.list(1), form.axis, 0);
  const Values additional = form.additional < call.count() ? call.list(form.additional) : Values();
  TORCH_CHECK(!scanned.empty() && scanned.front().toTensor().size(0) > 0,
              "associative_scan over no elements");
  std::vector<Values> steps{elements_at(scanned, 0)};
  for (std::int64_t i = 1; i < scanned.front().toTensor().size(0); ++i)
    steps.push_back(call.run(0, joined(joined(steps.back(), elements_at(scanned, i)), additional)));
  return moved(stacked(steps, 0), 0, form.axis);
}

// A graph at `index`, and its operands behind it.
template <std::size_t index, std::size_t operands>
Values run_inline(const HigherOrderCall& call) {
  return call.run(index, call.rest(operands));
}

// Sets automatic casts of libtorch on the CPU, and restores them.
class Autocast {
 public:
  Autocast(bool enabled, std::optional<c10::ScalarType> type) : enabled_(is_enabled()), type_(this->type()) {
    set(enabled, type.value_or(type_));
  }
  ~Autocast() {
    at::autocast::clear_cache();
    set(enabled_, type_);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
#if TORCH_VERSION_MAJOR >= 2
  static bool is_enabled() { return at::autocast::is_autocast_enabled(at::kCPU); }
  static c10::ScalarType type() { return at::autocast::get_autocast_dtype(at::kCPU); }
  static void set(bool enabled, c10::ScalarType type) {
    at::autocast::set_autocast_enabled(at::kCPU, enabled);
    at::autocast::set_autocast_dtype(at::kCPU, type);
  }
#else
  static bool is_enabled() { return at::autocast::is_cpu_enabled(); }
  static c10::ScalarType type() { return at::autocast::get_autocast_cpu_dtype(); }
  static void set(bool enabled, c10::ScalarType type) {
    at::autocast::set_cpu_enabled(enabled);
    at::autocast::set_autocast_cpu_dtype(type);
  }
#endif

  bool enabled_;
  c10::ScalarType type_;
};

// Arguments: device, element type, enabled, cache, graph, operands. On devices other than the CPU, the element types
// that the graph records say which casts there are.
Values run_autocast(const HigherOrderCall& call) {
  const bool on_cpu = call.value(0).toStringRef() == "cpu";
  const bool enabled = is_true(call.value(2));
  std::optional<c10::ScalarType> type;
  if (!call.argument(1).is_none()) type = static_cast<c10::ScalarType>(call.value(1).toInt());
  const bool before = call.interpreter().recorded_types();
  call.interpreter().set_recorded_types(!on_cpu && enabled);
  const std::optional<Autocast> region = on_cpu ? std::make_optional<Autocast>(enabled, type) : std::nullopt;
  Values results = call.run(4, call.rest(5));
  call.interpreter().set_recorded_types(before);
  return results;
}

// The functional form of an operator that writes: the arguments, results and copies of the arguments it writes to.
class Functionalized {
 public:
  explicit Functionalized(const HigherOrderCall& call)
      : call_(call), schema_(call.interpreter().operators().at(call.target(0)).schema) {
    for (const exported::NamedArgument& input : call.node().inputs)
      if (!input.name.empty()) named_.emplace(input.name, call.scope().value(input.value));
  }

  // Each argument that is written to is copied; the copies follow the results.
  Values run_first_form() {
    Values copies;
    for (const c10::Argument& argument : schema_.arguments()) {
      if (!is_written(argument) || !named_.contains(argument.name())) continue;
      c10::IValue& value = named_.at(argument.name());
      value = copy(value);
      copies.push_back(value);
    }
    return finish(copies);
  }

  // Each base is copied; an argument that is written to is a view of a base. The bases follow the results.
  Values run_second_form() {
    Values bases;
    for (const c10::IValue& base : named_.at("_all_bases").toListRef()) bases.push_back(copy(base));
    for (const c10::Argument& argument : schema_.arguments()) {
      if (!is_written(argument)) continue;
      const std::string prefix = "_" + argument.name();
      if (named_.contains(prefix + "_base_index")) {
        named_.insert_or_assign(argument.name(), view(prefix, bases));
      } else if (named_.contains(prefix + "_length")) {
        named_.insert_or_assign(argument.name(), list_view(prefix, bases));
      }
    }
    return finish(bases);
  }

 private:
  static bool is_written(const c10::Argument& argument) {
    return argument.alias_info() && argument.alias_info()->isWrite();
  }
  static c10::IValue copy(const c10::IValue& value) {
    if (value.isTensor()) return value.toTensor().clone();
    if (!value.isList()) return value;
    c10::impl::GenericList list(c10::TensorType::get());
    for (const c10::IValue& item : value.toListRef()) list.push_back(copy(item));
    return list;
  }

  c10::IValue view(const std::string& prefix, const Values& bases) const {
    const c10::IValue& index = named_.at(prefix + "_base_index");
    if (index.isNone()) return {};
    const at::Tensor base = bases.at(static_cast<std::size_t>(index.toInt())).toTensor();
    const auto number = [&](const char* what) { return named_.at(prefix + what).toInt(); };
    if (named_.contains(prefix + "_slice_dim"))
      return base.slice(number("_slice_dim"), number("_slice_start"), number("_slice_end"));
    if (!named_.contains(prefix + "_size")) return base;
    const auto numbers = [&](const char* what) {
      std::vector<std::int64_t> out;
      for (const c10::IValue& item : named_.at(prefix + what).toListRef()) out.push_back(item.toInt());
      return out;
    };
    return base.as_strided(numbers("_size"), numbers("_stride"), number("_storage_offset"));
  }

  c10::IValue list_view(const std::string& prefix, const Values& bases) const {
    c10::impl::GenericList list(c10::TensorType::get());
    for (std::int64_t i = 0; i < named_.at(prefix + "_length").toInt(); ++i)
      list.push_back(view(fmt::format("{}_{}", prefix, i), bases));
    return list;
  }

  Values finish(const Values& written) const {
    std::vector<std::pair<std::string_view, c10::IValue>> arguments;
    for (const c10::Argument& argument : schema_.arguments())
      if (const auto found = named_.find(argument.name()); found != named_.end())
        arguments.emplace_back(found->first, found->second);
    Values results = call_.interpreter().call(call_.target(0), arguments);
    if (results.empty()) results.emplace_back();  // None
    return joined(std::move(results), written);
  }

  const HigherOrderCall& call_;
  const c10::FunctionSchema& schema_;
  std::map<std::string, c10::IValue, std::less<>> named_;
};

template <bool second_form>
Values run_functionalized(const HigherOrderCall& call) {
  return second_form ? Functionalized(call).run_second_form() : Functionalized(call).run_first_form();
}

// Arguments: token, operator, arguments of the operator.
Values run_with_effects(const HigherOrderCall& call) {
  std::vector<std::pair<std::string_view, c10::IValue>> arguments;
  for (std::size_t i = 2; i < call.count(); ++i)
    arguments.emplace_back(call.node().inputs[i].name, call.value(i));
  return joined({call.value(0)}, call.interpreter().call(call.target(1), arguments));
}

struct HigherOrderRow {
  std::string_view target;
  HigherOrder function;
};

template <auto function>
Values adapted(Interpreter& interpreter, const exported::Node& node, const Scope& scope) {
  return function(HigherOrderCall(interpreter, node, scope));
}

constexpr HigherOrderRow kHigherOrder[] = {
    {"cond", adapted<run_cond>},
    {"while_loop", adapted<run_while_loop>},
    {"map_impl", adapted<run_map>},
    {"scan", adapted<run_scan>},
    {"associative_scan", adapted<run_associative_scan>},
    {"invoke_subgraph", adapted<run_inline<0, 2>>},
    {"wrap", adapted<run_inline<0, 1>>},
    {"strict_mode", adapted<run_inline<0, 1>>},
    {"tag_activation_checkpoint", adapted<run_inline<0, 1>>},
    {"wrap_activation_checkpoint", adapted<run_inline<0, 1>>},
    {"wrap_with_set_grad_enabled", adapted<run_inline<1, 2>>},
    {"wrap_with_autocast", adapted<run_autocast>},
    {"auto_functionalized", adapted<run_functionalized<false>>},
    {"auto_functionalized_v2", adapted<run_functionalized<true>>},
    {"with_effects", adapted<run_with_effects>},
};

}  // namespace

HigherOrder find_higher_order(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.higher_order.";
  if (!target.starts_with(kPrefix)) return nullptr;
  target.remove_prefix(kPrefix.size());
  for (const HigherOrderRow& row : kHigherOrder)
    if (row.target == target) return row.function;
  return nullptr;
}

}  // namespace cameo::torch
