#include "eval/tensor_operators.h"

#include <fmt/core.h>

#include <algorithm>

#include "aten/support.h"
#include "onnx/graph/errors.h"

namespace cameo::eval {
namespace {

bool involves_unknown(const Value& value) {
  if (value.is<Unknown>()) return true;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>())
    return std::ranges::any_of((*tuple)->items, involves_unknown);
  if (const ListPtr* list = value.get_if<ListPtr>())
    return std::ranges::any_of((*list)->items, involves_unknown);
  return false;
}

bool involves_unknown(const Arguments& args) {
  return std::ranges::any_of(args.positional, [](const Value& v) { return involves_unknown(v); }) ||
         std::ranges::any_of(args.keywords, [](const auto& k) { return involves_unknown(k.second); });
}

std::span<const aten::Op* const> find_own(std::string_view name) {
  return aten::Registry::builtin().find(name);
}

bool none_or_zero(const aten::Arg& arg) {
  const aten::Scalar* number = arg.get_if<aten::Scalar>();
  return arg.is_none() || (number && number->known() == 0);
}

// Whether the in-place form of the operator changes the shape of its tensor, and no element.
bool changes_layout(const aten::Op& op) {
  return op.schema.return_count == 1 && op.schema.returns[0].alias != 0 && !op.schema.returns[0].written &&
         op.traits.view != aten::View::unchanged;
}

// The first argument is the tensor that an in-place form writes. Given by its name, it becomes positional.
void put_first(std::span<const aten::Op* const> overloads, Arguments& args) {
  if (!args.positional.empty() || overloads.empty() || overloads[0]->schema.count == 0) return;
  const auto found = std::ranges::find(args.keywords, overloads[0]->schema.params[0].name,
                                       [](const auto& keyword) { return std::string_view(keyword.first); });
  if (found == args.keywords.end()) return;
  args.positional.push_back(std::move(found->second));
  args.keywords.erase(found);
}

std::string describe_types(const Arguments& args) {
  std::string types;
  for (const Value& value : args.positional) types += (types.empty() ? "" : ", ") + describe(value);
  for (const auto& [key, value] : args.keywords)
    types += fmt::format("{}{}={}", types.empty() ? "" : ", ", key, describe(value));
  return types;
}

}  // namespace

TensorOperators::TensorOperators(Evaluation& evaluation, const Options& options)
    : ev_(evaluation),
      training_(options.training),
      custom_(options.converters, evaluation.emit.model().opset,
              [&reporter = evaluation.reporter](std::string message, std::string hint) {
                Diagnostic d = reporter.diagnostic(Severity::warning, Code::converter, std::move(message));
                d.hint = std::move(hint);
                reporter.report(std::move(d));
              }),
      kept_(evaluation, options.operators),
      results_(evaluation) {}

bool TensorOperators::convertible(std::string_view name) const {
  auto known = [&](std::string_view form) { return !find_own(form).empty() || !custom_.find(form).empty(); };
  const std::optional<std::string_view> functional = aten::functional_form(name);
  return known(name) || (functional && known(*functional));
}

std::optional<Value> TensorOperators::call_custom(std::string_view name, const Arguments& given) {
  if (custom_.empty()) return std::nullopt;
  const Call call = custom_call(name, given);
  if (call.overloads.empty()) return std::nullopt;
  try {
    if (!aten::bind(ev_.emit, call.overloads, bound_arguments(call.arguments))) return std::nullopt;
  } catch (const aten::Unsupported&) {
    return std::nullopt;
  }
  return convert(call);
}

std::optional<aten::Bound> TensorOperators::bind(std::string_view name, const Arguments& given) {
  if (Call call = make_call(name, given, find_own); !call.overloads.empty())
    if (std::optional<aten::Bound> bound = bind(call)) return bound;
  const Call call = custom_call(name, given);
  return call.overloads.empty() ? std::nullopt : bind(call);
}

std::optional<aten::Bound> TensorOperators::bind(std::span<const aten::Op* const> overloads,
                                                 std::string_view name, const Arguments& given) {
  return bind(make_call(name, given, [&](std::string_view) { return overloads; }));
}

Value TensorOperators::call_with(std::span<const aten::Op* const> overloads, std::string_view name,
                                 const Arguments& given) {
  const Call call = make_call(name, given, [&](std::string_view) { return overloads; });
  return involves_unknown(call.arguments) ? Value(Unknown{}) : convert(call);
}

std::optional<Value> TensorOperators::call_as(std::string_view other, std::string_view name,
                                              const Arguments& given) {
  const std::span<const aten::Op* const> overloads = custom_.find(other);
  if (overloads.empty() || !bind(overloads, name, given)) return std::nullopt;
  return call_with(overloads, name, given);
}

Value TensorOperators::call(std::string_view name, const Arguments& given) {
  Call call = make_call(name, given, find_own);
  if (call.overloads.empty()) call = custom_call(name, given);
  if (call.overloads.empty() && !kept_.can_keep(name)) {
    ev_.reporter.report_unsupported(name);
    return Unknown{};
  }
  if (involves_unknown(call.arguments)) return Unknown{};
  return convert(call);
}

TensorOperators::Call TensorOperators::custom_call(std::string_view name, const Arguments& given) const {
  return make_call(name, given, [this](std::string_view form) { return custom_.find(form); });
}

TensorOperators::Call TensorOperators::make_call(std::string_view name, const Arguments& given,
                                                 const Find& find) {
  Call call{name, {.name = name}, given, find(name)};
  Target& target = call.target;
  Arguments& args = call.arguments;
  for (auto keyword = args.keywords.begin(); keyword != args.keywords.end(); ++keyword) {
    if (keyword->first != "out") continue;
    if (const CellPtr* cell = keyword->second.get_if<CellPtr>()) target.cell = *cell;
    args.keywords.erase(keyword);
    break;
  }
  target.out = target.cell != nullptr;
  const std::optional<std::string_view> functional = aten::functional_form(name);
  if (!functional) return call;
  if (call.overloads.empty()) call.overloads = find(fmt::format("{}functional", name));
  if (call.overloads.empty()) call.overloads = find(*functional);
  put_first(call.overloads, args);
  if (args.positional.empty()) return call;
  if (const CellPtr* self = args.positional[0].get_if<CellPtr>()) {
    target.cell = *self;
    target.name = *functional;
  } else if (const ListPtr* list = args.positional[0].get_if<ListPtr>()) {
    target.list = *list;
    target.name = *functional;
  }
  return call;
}

aten::Call TensorOperators::bound_arguments(const Arguments& args) {
  aten::Call call;
  for (const Value& value : args.positional) call.positional.push_back(ev_.values.to_arg(value));
  for (const auto& [key, value] : args.keywords) call.keywords.emplace_back(key, ev_.values.to_arg(value));
  return call;
}

Value TensorOperators::convert(const Call& call) {
  const std::string_view name = call.name;
  if (watch_) watch_(name, call.arguments);
  OriginScope origin(ev_.emit, ev_.reporter, name);
  try {
    return call.overloads.empty() ? keep(call.target, call.arguments) : convert_or_keep(call);
  } catch (const aten::Unsupported& unsupported) {
    return refuse(
        name,
        {.code = Code::unsupported_operator, .message = unsupported.what(), .hint = unsupported.hint()});
  } catch (const aten::ProgramError& error) {
    ev_.reporter.raise(fmt::format("{}: {}", name, error.what()));
  } catch (const onnx::ShapeMismatch& error) {
    ev_.reporter.raise(fmt::format("{}: {}", name, error.what()));
  } catch (const onnx::NeedsOpset& error) {
    return refuse(name, error.diagnostics().front());
  }
}

// Reports that the operator is not supported, because of `cause`.
Value TensorOperators::refuse(std::string_view name, const Diagnostic& cause) {
  ev_.reporter.report_unsupported(cause.code, fmt::format("{}: {}", name, cause.message), cause.hint);
  return Unknown{};
}

// The overload that the call names is preferred. Others are tried too: a file may have a number where the
// overload has a tensor.
std::optional<aten::Bound> TensorOperators::bind(const Call& call) {
  const aten::Call arguments = bound_arguments(call.arguments);
  if (const std::string& named = call.arguments.overload; !named.empty())
    for (const aten::Op* const& op : call.overloads)
      if (op->schema.overload == named)
        if (std::optional<aten::Bound> bound = aten::bind(ev_.emit, {&op, 1}, arguments)) return bound;
  return aten::bind(ev_.emit, call.overloads, arguments);
}

Value TensorOperators::convert_or_keep(const Call& call) {
  const std::string_view name = call.target.name;
  try {
    const std::optional<aten::Bound> bound = bind(call);
    if (!bound)
      throw aten::Unsupported(
          fmt::format("no overload that can be converted takes ({})", describe_types(call.arguments)));
    return convert_bound(call, *bound);
  } catch (const aten::Unsupported&) {
    if (!kept_.can_keep(name)) throw;
  } catch (const onnx::NeedsOpset&) {
    if (!kept_.can_keep(name)) throw;
  }
  return keep(call.target, call.arguments);
}

Value TensorOperators::convert_bound(const Call& call, const aten::Bound& bound) {
  const bool own = bound.op->call != nullptr;  // not a converter of the user
  if (own) check_mode(bound);
  aten::Returns results =
      own && kept_.keeps_converted() ? kept_.keep(bound) : aten::invoke(*bound.op, ev_.emit, bound.args);
  if (ev_.emit.differentiable()) track(bound, results);
  if (call.target.cell && !call.target.out && changes_layout(*bound.op))
    return results_.change_layout(call.target.cell, bound, results);
  return call.target.written() ? results_.write(call.target, results)
                               : results_.store(bound, results, call.arguments);
}

// The results of an operator in a block without gradients have none.
void TensorOperators::track(const aten::Bound& bound, aten::Returns& results) {
  if (ev_.tape.enabled()) return ev_.tape.record(bound, results);
  const auto is_argument = [&](const onnx::Value* value) {
    return std::ranges::any_of(bound.args, [&](const aten::Arg& arg) {
      const aten::Tensor* tensor = arg.get_if<aten::Tensor>();
      return tensor && tensor->value == value;
    });
  };
  for (aten::Arg& result : results)
    if (aten::Tensor* tensor = std::get_if<aten::Tensor>(&result.value);
        tensor && !is_argument(tensor->value))
      tensor->value = ev_.emit.stop_gradient(tensor->value);
}

Value TensorOperators::keep(const Target& target, const Arguments& args) {
  const std::vector<onnx::Value*> results = kept_.keep(target.name, args);
  if (target.written()) return results_.write(target, {aten::Arg{aten::Tensor(results[0])}});
  std::vector<Value> values;
  for (onnx::Value* result : results) values.push_back(ev_.memory.make_tensor(result));
  return values.size() == 1 ? values[0] : make_tuple(std::move(values));
}

// Warns of a training flag that differs from the mode of the export: a trace records it as a constant.
void TensorOperators::check_mode(const aten::Bound& bound) {
  const aten::TrainingFlag& training = bound.op->traits.training;
  if (training_ == TrainingMode::preserve || training.flag.empty()) return;
  const aten::Scalar* flag = bound.argument(training.flag)->get_if<aten::Scalar>();
  const std::optional<std::int64_t> train = flag ? flag->known_int() : std::nullopt;
  if (!train || none_or_zero(*bound.argument(training.matters_with))) return;
  if ((*train != 0) == (training_ == TrainingMode::training)) return;
  const std::string_view mode = *train ? "train=True" : "train=False";
  ev_.reporter.report(ev_.reporter.diagnostic(
      Severity::warning, Code::training_flag,
      fmt::format("ONNX export mode is set to TrainingMode.{}, but operator '{}' is set to {}. Exporting "
                  "with {}.",
                  *train ? "EVAL" : "TRAINING", bound.op->schema.name.substr(6), mode, mode)));
}

}  // namespace cameo::eval
