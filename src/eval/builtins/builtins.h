#pragma once
// Operators of the TorchScript language: on numbers, strings, lists and dicts, and on the shapes and types of
// tensors. They run at export time.

#include <optional>
#include <span>
#include <string_view>

#include "eval/state/evaluation.h"

namespace cameo::eval {

// Nothing if it does not take arguments of these types: a tensor operator may have the same name.
using Builtin = std::optional<Value> (*)(Evaluation&, const Arguments&);

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
std::optional<Value> run_builtin(Evaluation& evaluation, std::string_view name, const Arguments& arguments);

// The families. If several have an operator of the same name, the first that takes the arguments runs it.
std::span<const NamedBuiltin> number_builtins();
std::span<const NamedBuiltin> string_builtins();
std::span<const NamedBuiltin> list_builtins();
std::span<const NamedBuiltin> dict_builtins();
std::span<const NamedBuiltin> tensor_builtins();
std::span<const NamedBuiltin> gradient_builtins();
std::span<const NamedBuiltin> misc_builtins();

}  // namespace cameo::eval
