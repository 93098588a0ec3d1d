#include "eval/operators.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/index.h"
#include "eval/builtins/builtins.h"
#include "eval/rewriter.h"
#include "eval/upgrade.h"

namespace cameo::eval {
namespace {

// Whether the result depends on an operand that is unknown.
bool unknown_operand(std::string_view name, const Arguments& args) {
  const auto unknown = std::ranges::find_if(args.positional, [](const Value& v) { return v.is<Unknown>(); });
  if (unknown == args.positional.end()) return false;
  return position_in(args.positional, unknown) < deciding_arguments(name);
}

}  // namespace

Value Operators::call(std::string_view name, const Arguments& given) {
  if (!rewriter_.active() || unknown_operand(name, given)) return call_as_it_is(name, given);
  return rewriter_.call_operator(name, given, tensors_,
                                 [&](const Arguments& arguments) { return call_as_it_is(name, arguments); });
}

Value Operators::call_as_it_is(std::string_view name, const Arguments& given) {
  if (unknown_operand(name, given)) {
    if (!is_builtin(name) && !tensors_.convertible(name)) ev_.reporter.report_unsupported(name);
    return Unknown{};
  }
  if (std::optional<Value> converted = tensors_.call_custom(name, given)) return *converted;
  const std::optional<Arguments> with_number = literal_as_number(name, given);
  const Arguments& args = with_number ? *with_number : given;
  if (std::optional<Value> upgraded = upgrade(ev_, version_, name, args)) return *upgraded;
  try {
    if (std::optional<Value> result = run_builtin(ev_, name, args)) return *result;
  } catch (const aten::Unsupported& unsupported) {
    ev_.reporter.report_unsupported(Code::unsupported_operator,
                                    fmt::format("{}: {}", name, unsupported.what()), unsupported.hint());
    return Unknown{};
  } catch (const aten::ProgramError& error) {
    ev_.reporter.raise(error.what());
  } catch (const sym::DivisionByZero& error) {
    ev_.reporter.raise(error.what());
  }
  return tensors_.call(name, args);
}

// A traced program holds the numbers of the Python program as constants: tensors without dimensions. PyTorch
// computes `tensor + constant` as `tensor + number` for them, and so does this.
std::optional<Arguments> Operators::literal_as_number(std::string_view name, const Arguments& args) {
  if (args.positional.size() < 2) return std::nullopt;
  const CellPtr* other = args.positional[1].get_if<CellPtr>();
  if (!args.positional[0].get_if<CellPtr>() || !other || !(*other)->literal || (*other)->version != 0)
    return std::nullopt;
  const auto takes_number = [&](const aten::Op* op) {
    return op->traits.literal_as_number && args.count() <= op->schema.count;
  };
  if (std::ranges::none_of(aten::Registry::builtin().find(name), takes_number)) return std::nullopt;
  const aten::Tensor& number = (*other)->tensor;
  if (!number->constant() || number.rank() != 0) return std::nullopt;
  Arguments out = args;
  out.positional[1] = ev_.values.number_from(number);
  return out;
}

}  // namespace cameo::eval
