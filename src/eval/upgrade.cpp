#include "eval/upgrade.h"

namespace cameo::eval {
namespace {

bool floating(Evaluation& ev, const Value& value) {
  if (const CellPtr* cell = value.get_if<CellPtr>())
    return is_floating(ev.memory.cells().read(*cell).dtype());
  return value.is_float();
}

// Until version 4, integers were divided as integers, rounded towards zero.
std::optional<Value> integer_division(Evaluation& ev, std::string_view op, const Arguments& args) {
  if (args.positional.size() < 2 || !args.positional[0].is<CellPtr>() || args.positional.size() > 2)
    return std::nullopt;
  bool any = floating(ev, args.positional[0]) || floating(ev, args.positional[1]);
  for (const auto& [name, value] : args.keywords) {
    if (name == "rounding_mode") return std::nullopt;
    if (name == "out") any = any || floating(ev, value);
  }
  if (any) return std::nullopt;
  Arguments truncating = args;
  truncating.keywords.emplace_back("rounding_mode", std::string("trunc"));
  return ev.caller.call_operator(op, truncating);
}

// Until version 5, torch.full gave floats for an integer or a boolean.
std::optional<Value> float_full(Evaluation& ev, const Arguments& args) {
  for (const auto& [name, value] : args.keywords)
    if ((name == "dtype" && !value.is_none()) || name == "out") return std::nullopt;
  if (args.positional.size() < 2 || args.positional[1].is_float() || args.positional[1].is<CellPtr>())
    return std::nullopt;
  Arguments with_float = args;
  with_float.positional[1] = ev.caller.call_operator("aten::Float", {{args.positional[1]}, {}});
  return ev.caller.call_operator("aten::full", with_float);
}

// Until versions 8 and 9, the number of steps had a default.
std::optional<Value> default_steps(Evaluation& ev, std::string_view op, const Arguments& args) {
  const Value* steps = args.find(2, "steps");
  if (steps && !steps->is_none()) return std::nullopt;
  Arguments with_steps = args;
  if (with_steps.positional.size() > 2)
    with_steps.positional[2] = std::int64_t{100};
  else if (with_steps.positional.size() == 2)
    with_steps.positional.emplace_back(std::int64_t{100});
  else
    return std::nullopt;
  return ev.caller.call_operator(op, with_steps);
}

}  // namespace

std::optional<Value> upgrade(Evaluation& ev, int version, std::string_view op, const Arguments& args) {
  if (version >= aten::Older::kNewest) return std::nullopt;
  const aten::Registry& registry = aten::Registry::builtin();
  const auto overloads = registry.find(op);
  const aten::Older older =
      aten::fact(overloads.empty() ? registry.find_in_place(op) : overloads, &aten::Traits::older);
  if (version >= older.until) return std::nullopt;
  switch (older.form) {
    case aten::OldForm::integer_division: return integer_division(ev, op, args);
    case aten::OldForm::float_fill: return float_full(ev, args);
    case aten::OldForm::default_steps: return default_steps(ev, op, args);
    case aten::OldForm::same: break;
  }
  return std::nullopt;
}

}  // namespace cameo::eval
