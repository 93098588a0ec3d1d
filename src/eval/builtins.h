#pragma once
// Operators of the language itself: on numbers, strings, lists, dicts, and on what is known of tensors. They
// run now.

#include <optional>
#include <span>
#include <string_view>

#include "eval/evaluator.h"

namespace cameo::eval {

// Nothing if the arguments are not of a kind that it deals with: a tensor operator may be of the same name.
using Builtin = std::optional<Value> (*)(Evaluator&, const Arguments&);

struct NamedBuiltin {
  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  std::string_view name;  // "aten::add"
  Builtin run;
  // The result depends on the values of the first so many arguments; the others are stored or compared by
  // identity.
  std::size_t deciding = kAll;
};

bool is_builtin(std::string_view name);
// NamedBuiltin::deciding of this operator.
std::size_t deciding_arguments(std::string_view name);
// Nothing if no builtin of that name takes these arguments.
std::optional<Value> run_builtin(Evaluator& evaluator, std::string_view name, const Arguments& arguments);

// The families; several may know the same name and are asked in this order.
std::span<const NamedBuiltin> number_builtins();
std::span<const NamedBuiltin> string_builtins();
std::span<const NamedBuiltin> list_builtins();
std::span<const NamedBuiltin> dict_builtins();
std::span<const NamedBuiltin> tensor_builtins();
std::span<const NamedBuiltin> misc_builtins();

}  // namespace cameo::eval
