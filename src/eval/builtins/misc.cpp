// Identity, exceptions, grad mode, futures, devices.
#include <fmt/core.h>

#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace {

using Args = const Arguments&;
using Result = std::optional<Value>;

template <bool Negated>
Result is(Evaluation& ev, Args args) {
  if (args.positional.size() != 2) return std::nullopt;
  const Value &a = args.positional[0], &b = args.positional[1];
  const Value& maybe = a.is_none() ? b : a;
  const Value& other = a.is_none() ? a : b;
  if (const OptionalPtr* optional = maybe.get_if<OptionalPtr>(); optional && other.is_none())
    return Value(RuntimeBool{Negated ? (*optional)->present : ev.emit.op("Not", {(*optional)->present})});
  if (a.is<Unknown>() || b.is<Unknown>()) {
    if (a.is_none() || b.is_none()) return Value(Negated);
    return Value(Unknown{});
  }
  return Value(same(a, b) != Negated);
}

// == and != of values that are compared by identity: None, enums, devices, objects.
template <bool Negated>
Result equals(Evaluation& ev, Args args) {
  if (args.positional.size() != 2) return std::nullopt;
  const Value &a = args.positional[0], &b = args.positional[1];
  if (const ObjectPtr* object = a.get_if<ObjectPtr>()) {
    const char* method = Negated ? "__ne__" : "__eq__";
    if (ev.caller.has_method(**object, method)) return ev.caller.call_method(*object, method, {{b}, {}});
  }
  auto plain = [](const Value& v) {
    return v.is_none() || v.is<EnumMember>() || v.is<Device>() || v.is<ObjectPtr>() || v.is_bool();
  };
  if (!plain(a) || !plain(b)) return std::nullopt;
  return Value(same(a, b) != Negated);
}

Result raise_exception(Evaluation& ev, Args args) {
  const std::string* text = args.positional.empty() ? nullptr : args.positional[0].get_if<std::string>();
  ev.reporter.raise(text ? *text : "exception");
}

Result assert_true(Evaluation& ev, Args args) {
  std::optional<bool> truth = ev.values.decide(args.at(0));
  const std::string* text = args.positional.size() > 1 ? args.positional[1].get_if<std::string>() : nullptr;
  std::string message = text ? *text : "assertion failed";
  if (truth && !*truth) ev.reporter.raise(message);
  if (!truth) ev.reporter.assume(fmt::format("an assertion holds (otherwise: {})", message));
  return Value(None{});
}

// An assertion of an exported program. PyTorch adds many of them, so they are not reported; those about sizes
// are used.
Result check(Evaluation& ev, Args args) {
  const Value& condition = args.at(0);
  const std::optional<bool> truth = ev.values.decide(condition);
  const Value* message = args.find(1, "assert_msg");
  const std::string* text = message ? message->get_if<std::string>() : nullptr;
  if (truth && !*truth) ev.reporter.raise(text ? *text : "assertion failed");
  if (const SymBool* symbolic = condition.get_if<SymBool>(); symbolic && !truth)
    ev.emit.sym().assume(*symbolic);
  return Value(None{});
}

void assume_bounds(Evaluation& ev, const Value& number, const Value* least, const Value* most) {
  const Dim* size = number.get_if<Dim>();
  const auto given = [](const Value* bound) { return bound ? bound->get_if<Dim>() : nullptr; };
  if (!size) return;
  if (const Dim* bound = given(least)) ev.emit.sym().assume_less_equal(*bound, *size);
  if (const Dim* bound = given(most)) ev.emit.sym().assume_less_equal(*size, *bound);
}

Result constrain_range(Evaluation& ev, Args args) {
  assume_bounds(ev, args.at(0), args.find(1, "min"), args.find(2, "max"));
  return Value(None{});
}

// The functional forms order the assertions by a token, which they pass on.
Result pass_token(Evaluation&, Args args) {
  const Value* token = args.find(args.positional.size() - 1, "dep_token");
  return token ? Result(*token) : std::nullopt;
}
template <Builtin kAssertion>
Result asserted(Evaluation& ev, Args args) {
  kAssertion(ev, args);
  return pass_token(ev, args);
}

Result nothing(Evaluation&, Args) { return Value(None{}); }
Result no(Evaluation&, Args) { return Value(false); }
Result yes(Evaluation&, Args) { return Value(true); }
Result first(Evaluation&, Args args) {
  return args.positional.empty() ? Result() : Result(args.positional[0]);
}

Result unwrap(Evaluation& ev, Args args) {
  const Value& v = args.at(0);
  if (v.is_none()) ev.reporter.raise("Unwrapping null optional");
  if (const OptionalPtr* optional = v.get_if<OptionalPtr>()) return (*optional)->value;
  return v;
}

// The results of an operator that was called with copies of tensors, and the copies that it changed.
Result functionalized(Evaluation& ev, Args args) {
  const ListPtr* copies = args.positional.size() == 2 ? args.positional[1].get_if<ListPtr>() : nullptr;
  if (!copies) return std::nullopt;
  const TuplePtr* several = args.positional[0].get_if<TuplePtr>();
  std::vector<Value> results = several ? (*several)->items : std::vector<Value>{args.positional[0]};
  for (const Value& copy : (*copies)->items)
    if (const CellPtr* cell = copy.get_if<CellPtr>(); cell && ev.memory.cells().version(*cell) != 0)
      results.push_back(copy);
  return make_tuple(std::move(results));
}

Result device_type(Evaluation&, Args args) {
  const Device* device = args.positional.empty() ? nullptr : args.positional[0].get_if<Device>();
  return device ? Result(Value(device->name.substr(0, device->name.find(':')))) : std::nullopt;
}

Result device_index(Evaluation&, Args args) {
  const Device* device = args.positional.empty() ? nullptr : args.positional[0].get_if<Device>();
  if (!device) return std::nullopt;
  const std::size_t colon = device->name.find(':');
  if (colon == std::string::npos) return Value(None{});
  return Value(std::int64_t{std::stoll(device->name.substr(colon + 1))});
}

Result tuple_of(Evaluation& ev, Args args) {
  if (args.positional.empty()) return make_tuple({});
  if (args.positional[0].is<TuplePtr>()) return args.positional[0];
  Result items = run_builtin(ev, "aten::list", args);
  if (!items) return std::nullopt;
  return make_tuple((*items->get_if<ListPtr>())->items);
}

Result enum_value(Evaluation&, Args args) {
  const EnumMember* member = args.positional.empty() ? nullptr : args.positional[0].get_if<EnumMember>();
  return member ? Result(*member->value) : std::nullopt;
}

// A helper of nn.functional that checks its argument's type, which TorchScript has checked.
Result assert_int_or_pair(Evaluation&, Args) { return Value(None{}); }

constexpr NamedBuiltin kMisc[] = {
    {"aten::__is__", is<false>, 0},
    {"aten::__isnot__", is<true>, 0},
    {"aten::eq", equals<false>},
    {"aten::ne", equals<true>},
    {"prim::RaiseException", raise_exception},
    {"aten::_assert", assert_true},
    {"aten::_assert_int_or_pair", assert_int_or_pair},
    {"aten::_assert_scalar", check},
    {"aten::_assert_async", check},
    {"aten::_assert_tensor_metadata", nothing},
    {"aten::sym_constrain_range", constrain_range},
    {"aten::sym_constrain_range_for_size", constrain_range},
    {"aten::_functional_assert_scalar", asserted<check>},
    {"aten::_functional_assert_async", asserted<check>},
    {"aten::_functional_sym_constrain_range", asserted<constrain_range>},
    {"aten::_functional_sym_constrain_range_for_size", asserted<constrain_range>},
    {"aten::_linalg_check_errors", nothing},
    {"aten::_print", nothing},
    {"prims::_sink_tokens", nothing},
    {"aten::warn", nothing},
    {"prim::Print", nothing},
    {"aten::manual_seed", nothing},
    {"aten::is_autocast_enabled", no},
    {"aten::is_autocast_cpu_enabled", no},
    {"aten::is_scripting", yes},
    {"aten::is_tracing", no},
    {"aten::_get_tracing_state", no},
    {"aten::wait", first},
    {"prim::awaitable_wait", first},
    {"prim::awaitable_nowait", first},
    {"prim::unchecked_unwrap_optional", unwrap},
    {"aten::_unwrap_optional", unwrap},
    {"cameo::functionalized", functionalized},
    {"prim::type", device_type},
    {"prim::index", device_index},
    {"aten::tuple", tuple_of},
    {"prim::EnumValue", enum_value},
};

}  // namespace

std::span<const NamedBuiltin> misc_builtins() { return kMisc; }

}  // namespace cameo::eval
