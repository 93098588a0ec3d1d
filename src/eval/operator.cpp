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

// An operand that decides the result is unknown. What is only put into a container, or compared by identity,
// decides nothing.
bool unknown_operand(std::string_view name, const Arguments& args) {
  static constexpr std::string_view kCarriers[] = {"aten::append", "aten::_set_item", "aten::insert"};
  const bool carrier = std::ranges::find(kCarriers, name) != std::end(kCarriers);
  const std::size_t deciding =
      carrier ? std::min<std::size_t>(args.positional.size(), name.ends_with("item") ? 2 : 1)
              : args.positional.size();
  if (name == "aten::__is__" || name == "aten::__isnot__") return false;
  return std::any_of(args.positional.begin(), args.positional.begin() + static_cast<std::ptrdiff_t>(deciding),
                     [](const Value& value) { return value.is<Unknown>(); });
}

const Value& argument(const Arguments& args, int index) {
  auto i = static_cast<std::size_t>(index);
  return i < args.positional.size() ? args.positional[i] : args.keywords[i - args.positional.size()].second;
}

// "aten::add_" → "aten::add"; nothing for names that are not in-place forms.
std::optional<std::string_view> functional_form(std::string_view name) {
  if (!name.ends_with('_') || name.ends_with("__")) return std::nullopt;
  return name.substr(0, name.size() - 1);
}

bool convertible(std::string_view name) {
  const aten::Registry& registry = aten::Registry::builtin();
  if (!registry.find(name).empty()) return true;
  const std::optional<std::string_view> functional = functional_form(name);
  return functional && !registry.find(*functional).empty();
}

}  // namespace

void Evaluator::report_unsupported(std::string_view name) {
  report(diagnostic(Severity::error, Stage::convert, "unsupported-operator",
                    fmt::format("{} cannot be converted to ONNX", name)));
}

Value Evaluator::call_operator(std::string_view name, const Arguments& args) {
  if (unknown_operand(name, args)) {
    if (!is_builtin(name) && !convertible(name)) report_unsupported(name);
    return Unknown{};
  }
  if (std::optional<Value> upgraded = upgrade(*this, name, args)) return *upgraded;
  try {
    if (std::optional<Value> result = run_builtin(*this, name, args)) return *result;
  } catch (const aten::Unsupported& unsupported) {
    Diagnostic d = diagnostic(Severity::error, Stage::evaluate, "unsupported-operator",
                              fmt::format("{}: {}", name, unsupported.what()));
    d.hint = unsupported.hint();
    report(std::move(d));
    return Unknown{};
  } catch (const aten::ProgramError& error) {
    raise(error.what());
  } catch (const sym::DivisionByZero& error) {
    raise(error.what());
  }
  return call_tensor_operator(name, args);
}

Value Evaluator::call_tensor_operator(std::string_view name, const Arguments& given) {
  const aten::Registry& registry = aten::Registry::builtin();
  Arguments args = given;
  std::optional<CellPtr> target;
  for (auto keyword = args.keywords.begin(); keyword != args.keywords.end(); ++keyword) {
    if (keyword->first != "out") continue;
    if (const CellPtr* cell = keyword->second.get_if<CellPtr>()) target = *cell;
    args.keywords.erase(keyword);
    break;
  }
  const bool writes_out = target.has_value();
  std::span<const aten::Op* const> overloads = registry.find(name);
  if (overloads.empty()) {
    if (std::optional<std::string_view> functional = functional_form(name)) {
      overloads = registry.find(fmt::format("{}functional", name));
      if (overloads.empty()) overloads = registry.find(*functional);
      if (!args.positional.empty())
        if (const CellPtr* self = args.positional[0].get_if<CellPtr>()) target = *self;
    }
  }
  if (overloads.empty()) {
    report_unsupported(name);
    return Unknown{};
  }
  if (involves_unknown(args)) return Unknown{};
  if (options_.watch) options_.watch(*this, name, args);
  onnx::Emit& e = emit_;
  const onnx::Origin* outer = e.origin();
  e.set_origin(origin(name));
  try {
    aten::Call call;
    for (const Value& value : args.positional) call.positional.push_back(to_arg(value));
    for (const auto& [key, value] : args.keywords) call.keywords.emplace_back(key, to_arg(value));
    std::optional<aten::Bound> bound = aten::bind(e, overloads, call);
    if (!bound) {
      std::string types;
      for (const Value& value : args.positional) types += (types.empty() ? "" : ", ") + describe(value);
      for (const auto& [key, value] : args.keywords)
        types += fmt::format("{}{}={}", types.empty() ? "" : ", ", key, describe(value));
      throw aten::Unsupported(fmt::format("no form of {} that can be converted takes ({})", name, types));
    }
    aten::Returns results = bound->op->call(e, bound->args, bound->op->schema);
    Value result =
        target ? write_result(*target, results, writes_out) : finish_call(*bound, std::move(results), args);
    e.set_origin(outer);
    return result;
  } catch (const aten::Unsupported& unsupported) {
    Diagnostic d = diagnostic(Severity::error, Stage::convert, "unsupported-operator",
                              fmt::format("{}: {}", name, unsupported.what()));
    d.hint = unsupported.hint();
    e.set_origin(outer);
    report(std::move(d));
    return Unknown{};
  } catch (const aten::ProgramError& error) {
    e.set_origin(outer);
    raise(fmt::format("{}: {}", name, error.what()));
  } catch (const Error& error) {
    e.set_origin(outer);
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

// In-place operators keep the dtype and the shape of what they write to; `out=` takes the result's shape.
Value Evaluator::write_result(const CellPtr& target, const aten::Returns& results, bool out) {
  const aten::Tensor* result = results.empty() ? nullptr : results[0].get_if<aten::Tensor>();
  if (!result) throw aten::Unsupported("this operator cannot be written in place");
  aten::Tensor before = cells_.read(target);
  aten::Tensor value = emit_.cast(*result, before.dtype());
  value.quantizer = result->quantizer;
  if (out)
    cells_.replace(target, value);
  else
    cells_.write(target, before->has_rank() ? aten::Tensor(emit_.expand(value, before.shape())) : value);
  return target;
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
    if (aliases_when_unchanged(schema.name))
      return result.value == cells_.read(*base).value ? Value(*base) : wrap(result);
    return cells_.view(*base, bound, *param, item, result);
  };
  std::vector<Value> values;
  for (std::size_t i = 0; i < results.size(); ++i) {
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

aten::Arg Evaluator::to_arg(const Value& value) {
  using aten::Arg;
  using aten::Scalar;
  if (value.is_none()) return Arg{aten::None{}};
  if (const bool* b = value.get_if<bool>()) return Arg{Scalar{*b}};
  if (const Dim* dim = value.get_if<Dim>()) return Arg{Scalar{*dim}};
  if (const double* d = value.get_if<double>()) return Arg{Scalar{*d}};
  if (const RuntimeFloat* f = value.get_if<RuntimeFloat>()) return Arg{Scalar{f->value}};
  if (value.is_bool()) return Arg{Scalar{condition(value)}};
  if (const auto* c = value.get_if<std::complex<double>>()) return Arg{Scalar{*c}};
  if (const std::string* text = value.get_if<std::string>()) return Arg{*text};
  if (const CellPtr* cell = value.get_if<CellPtr>()) return Arg{cells_.read(*cell)};
  if (value.is<Device>()) return Arg{aten::Ignored{}};
  if (const EnumMember* member = value.get_if<EnumMember>()) return to_arg(*member->value);
  const std::vector<Value>* items = nullptr;
  if (const TuplePtr* tuple = value.get_if<TuplePtr>()) items = &(*tuple)->items;
  if (const ListPtr* list = value.get_if<ListPtr>()) {
    if ((*list)->sequence) return Arg{aten::Tensor((*list)->sequence)};
    items = &(*list)->items;
  }
  if (items) {
    aten::ArgList out;
    for (const Value& item : *items) out.push_back(to_arg(item));
    return Arg{std::move(out)};
  }
  throw aten::Unsupported(fmt::format("{} cannot be an argument of an operator", describe(value)));
}

Value Evaluator::from_arg(const aten::Arg& arg) {
  if (const aten::Tensor* result = arg.get_if<aten::Tensor>()) return wrap(*result);
  if (const std::string* text = arg.get_if<std::string>()) return *text;
  if (const aten::ArgList* several = arg.get_if<aten::ArgList>()) {
    std::vector<Value> items;
    for (const aten::Arg& item : *several) items.push_back(from_arg(item));
    return list(std::move(items));
  }
  if (const aten::Scalar* scalar = arg.get_if<aten::Scalar>()) {
    if (const bool* b = std::get_if<bool>(&scalar->value)) return *b;
    if (const Dim* dim = std::get_if<Dim>(&scalar->value)) return *dim;
    if (const double* d = std::get_if<double>(&scalar->value)) return *d;
    if (const auto* c = std::get_if<std::complex<double>>(&scalar->value)) return *c;
    return number_from(std::get<onnx::Value*>(scalar->value));
  }
  return None{};
}

}  // namespace cameo::eval
