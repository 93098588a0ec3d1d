#include <fmt/format.h>

#include <algorithm>

#include "eval/builtins.h"
#include "eval/evaluator.h"
#include "eval/upgrade.h"
#include "eval/views.h"

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

// Whether the result depends on an operand that is unknown.
bool unknown_operand(std::string_view name, const Arguments& args) {
  const auto unknown = std::ranges::find_if(args.positional, [](const Value& v) { return v.is<Unknown>(); });
  if (unknown == args.positional.end()) return false;
  return static_cast<std::size_t>(unknown - args.positional.begin()) < deciding_arguments(name);
}

const Value& argument(const Arguments& args, int index) {
  auto i = static_cast<std::size_t>(index);
  return i < args.positional.size() ? args.positional[i] : args.keywords[i - args.positional.size()].second;
}

std::span<const aten::Op* const> find_own(std::string_view name) {
  return aten::Registry::builtin().find(name);
}

const aten::Arg& argument(const aten::Bound& bound, std::string_view parameter) {
  const aten::Schema& schema = bound.op->schema;
  return bound.args[static_cast<std::size_t>(schema.parameter(parameter) - schema.params.data())];
}

bool none_or_zero(const aten::Arg& arg) {
  const aten::Scalar* number = arg.get_if<aten::Scalar>();
  return arg.is_none() || (number && number->known() == 0);
}

}  // namespace

void Evaluator::report_unsupported(std::string_view name) {
  report(diagnostic(Severity::error, Stage::convert, "unsupported-operator",
                    fmt::format("{} cannot be converted to ONNX", name)));
}

bool Evaluator::convertible(std::string_view name) const {
  auto known = [&](std::string_view form) { return !find_own(form).empty() || !custom_.find(form).empty(); };
  const std::optional<std::string_view> functional = aten::functional_form(name);
  return known(name) || (functional && known(*functional));
}

Value Evaluator::call_operator(std::string_view name, const Arguments& given) {
  if (unknown_operand(name, given)) {
    if (!is_builtin(name) && !convertible(name)) report_unsupported(name);
    return Unknown{};
  }
  if (std::optional<Value> converted = call_custom_operator(name, given)) return *converted;
  const std::optional<Arguments> with_number = literal_as_number(name, given);
  const Arguments& args = with_number ? *with_number : given;
  if (std::optional<Value> upgraded = upgrade(*this, name, args)) return *upgraded;
  try {
    if (std::optional<Value> result = run_builtin(*this, name, args)) return *result;
  } catch (const aten::Unsupported& unsupported) {
    return refuse(name, Stage::evaluate, unsupported);
  } catch (const aten::ProgramError& error) {
    raise(error.what());
  } catch (const sym::DivisionByZero& error) {
    raise(error.what());
  }
  return call_tensor_operator(name, args);
}

// PyTorch runs `tensor + constant`, where the constant is a tensor without dimensions that the program's text
// names, as `tensor + number`: that is how traced programs hold the numbers of Python.
std::optional<Arguments> Evaluator::literal_as_number(std::string_view name, const Arguments& args) {
  if (args.positional.size() < 2) return std::nullopt;
  const CellPtr *self = args.positional[0].get_if<CellPtr>(), *other = args.positional[1].get_if<CellPtr>();
  if (!self || !other || !(*other)->literal || (*other)->version != 0) return std::nullopt;
  const auto takes_number = [&](const aten::Op* op) {
    return op->traits.literal_as_number && args.count() <= op->schema.count;
  };
  if (std::ranges::none_of(find_own(name), takes_number)) return std::nullopt;
  const bool folded = (*self)->literal || ((*self)->buffer.empty() && cells_.read(*self)->constant());
  const aten::Tensor& number = (*other)->tensor;
  if (folded || !number->constant() || number->rank() != 0 || is_complex(number.dtype())) return std::nullopt;
  Arguments out = args;
  out.positional[1] = number_from(number);
  return out;
}

Value Evaluator::refuse(std::string_view name, Stage stage, const aten::Unsupported& unsupported) {
  Diagnostic d = diagnostic(Severity::error, stage, "unsupported-operator",
                            fmt::format("{}: {}", name, unsupported.what()));
  d.hint = unsupported.hint();
  report(std::move(d));
  return Unknown{};
}

Evaluator::TensorCall Evaluator::tensor_call(std::string_view name, const Arguments& given,
                                             const Find& find) {
  TensorCall call{name, {.name = name}, given, find(name)};
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
  if (!args.positional.empty())
    if (const CellPtr* self = args.positional[0].get_if<CellPtr>()) {
      target.cell = *self;
      target.name = *functional;
    }
  return call;
}

Value Evaluator::call_tensor_operator(std::string_view name, const Arguments& given) {
  TensorCall call = tensor_call(name, given, find_own);
  if (call.overloads.empty()) call = custom_call(name, given);
  if (call.overloads.empty() && !can_fall_back(name)) {
    report_unsupported(name);
    return Unknown{};
  }
  if (involves_unknown(call.arguments)) return Unknown{};
  return convert(call);
}

Value Evaluator::convert(const TensorCall& call) {
  const std::string_view name = call.name;
  if (options_.watch) options_.watch(*this, name, call.arguments);
  onnx::Emit& e = emit_;
  struct OriginGuard {
    onnx::Emit& emit;
    const onnx::Origin* outer;
    ~OriginGuard() { emit.set_origin(outer); }
  } guard{e, e.origin()};
  e.set_origin(origin(name));
  try {
    return call.overloads.empty() ? fall_back(call.target, call.arguments)
                                  : convert_call(call.overloads, call.target, call.arguments);
  } catch (const aten::Unsupported& unsupported) {
    return refuse(name, Stage::convert, unsupported);
  } catch (const aten::ProgramError& error) {
    raise(fmt::format("{}: {}", name, error.what()));
  } catch (const Error& error) {
    const Diagnostic& cause = error.diagnostics().front();
    if (cause.code != "needs-opset" && cause.code != "shape-mismatch") throw;
    if (cause.code == "shape-mismatch") raise(fmt::format("{}: {}", name, cause.message));
    Diagnostic d =
        diagnostic(Severity::error, Stage::convert, cause.code, fmt::format("{}: {}", name, cause.message));
    d.hint = cause.hint;
    report(std::move(d));
    return Unknown{};
  }
}

aten::Call Evaluator::to_call(const Arguments& args) {
  aten::Call call;
  for (const Value& value : args.positional) call.positional.push_back(to_arg(value));
  for (const auto& [key, value] : args.keywords) call.keywords.emplace_back(key, to_arg(value));
  return call;
}

Value Evaluator::convert_call(std::span<const aten::Op* const> overloads, const Target& target,
                              const Arguments& args) {
  try {
    std::optional<aten::Bound> bound = aten::bind(emit_, overloads, to_call(args));
    if (!bound) {
      std::string types;
      for (const Value& value : args.positional) types += (types.empty() ? "" : ", ") + describe(value);
      for (const auto& [key, value] : args.keywords)
        types += fmt::format("{}{}={}", types.empty() ? "" : ", ", key, describe(value));
      throw aten::Unsupported(
          fmt::format("no form of {} that can be converted takes ({})", target.name, types));
    }
    if (bound->op->call) check_mode(*bound);
    const bool keeps = options_.operators == OperatorExport::aten && bound->op->call;
    aten::Returns results = keeps ? keep_operator(*bound) : aten::invoke(*bound->op, emit_, bound->args);
    return target.cell ? write_result(target, results) : finish_call(*bound, std::move(results), args);
  } catch (const aten::Unsupported&) {
    if (!can_fall_back(target.name)) throw;
  } catch (const Error& error) {
    if (!can_fall_back(target.name) || error.diagnostics().front().code != "needs-opset") throw;
  }
  return fall_back(target, args);
}

// Warns of a training flag that differs from the mode of the export: a trace records it as a constant.
void Evaluator::check_mode(const aten::Bound& bound) {
  const aten::TrainingFlag& training = bound.op->traits.training;
  if (options_.training == TrainingMode::preserve || training.flag.empty()) return;
  const aten::Scalar* flag = argument(bound, training.flag).get_if<aten::Scalar>();
  const std::optional<std::int64_t> train = flag ? flag->known_int() : std::nullopt;
  if (!train || none_or_zero(argument(bound, training.matters_with))) return;
  if ((*train != 0) == (options_.training == TrainingMode::training)) return;
  const std::string_view mode = *train ? "train=True" : "train=False";
  report(diagnostic(
      Severity::warning, Stage::convert, "training-flag",
      fmt::format("ONNX export mode is set to TrainingMode.{}, but operator '{}' is set to {}. Exporting "
                  "with {}.",
                  *train ? "EVAL" : "TRAINING", bound.op->schema.name.substr(6), mode, mode)));
}

// In-place operators keep the dtype and the shape of what they write to; `out=` takes the result's shape.
Value Evaluator::write_result(const Target& target, const aten::Returns& results) {
  const aten::Tensor* result = results.empty() ? nullptr : results[0].get_if<aten::Tensor>();
  if (!result) throw aten::Unsupported("this operator cannot be written in place");
  aten::Tensor before = cells_.read(target.cell);
  aten::Tensor value = emit_.cast(*result, before.dtype());
  value.quantizer = result->quantizer;
  if (target.out)
    cells_.replace(target.cell, value);
  else
    cells_.write(target.cell, before->has_rank() ? aten::Tensor(emit_.expand(value, before.shape())) : value);
  return target.cell;
}

Value Evaluator::finish_call(const aten::Bound& bound, aten::Returns results, const Arguments& args) {
  const aten::Schema& schema = bound.op->schema;
  auto aliased = [&](std::size_t index) -> std::optional<std::size_t> {
    if (index >= schema.return_count || schema.returns[index].alias == 0) return std::nullopt;
    for (std::size_t p = 0; p < schema.count; ++p)
      if (schema.params[p].alias == schema.returns[index].alias && bound.sources[p] >= 0) return p;
    return std::nullopt;
  };
  auto place = [&](const aten::Tensor& result, std::size_t index, std::size_t item) -> Value {
    std::optional<std::size_t> param = aliased(index);
    if (!param) return wrap(result);
    const CellPtr* base = argument(args, bound.sources[*param]).get_if<CellPtr>();
    if (!base) return wrap(result);
    if (bound.op->traits.view == aten::View::unchanged)
      return result.value == cells_.read(*base).value ? Value(*base) : wrap(result);
    return cells_.view(*base, bound, *param, item, result);
  };
  std::vector<Value> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < schema.return_count && schema.returns[i].written) {
      const std::optional<std::size_t> param = aliased(i);
      const CellPtr* cell = param ? argument(args, bound.sources[*param]).get_if<CellPtr>() : nullptr;
      if (cell) cells_.write(*cell, aten::detail::to_tensor(results[i]));
      continue;
    }
    if (const aten::Tensor* tensor_result = results[i].get_if<aten::Tensor>()) {
      values.push_back(place(*tensor_result, i, i));
    } else if (const aten::ArgList* several = results[i].get_if<aten::ArgList>()) {
      std::vector<Value> items;
      for (std::size_t k = 0; k < several->size(); ++k) {
        const aten::Tensor* item = (*several)[k].get_if<aten::Tensor>();
        items.push_back(item ? place(*item, i, k) : from_arg((*several)[k]));
      }
      values.push_back(list(std::move(items)));
    } else {
      values.push_back(from_arg(results[i]));
    }
  }
  return values.size() == 1 ? values[0] : make_tuple(std::move(values));
}

}  // namespace cameo::eval
