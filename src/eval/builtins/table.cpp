#include <map>
#include <vector>

#include "eval/builtins/builtins.h"

namespace cameo::eval {
namespace {

using Family = std::span<const NamedBuiltin>;
using ByName = std::map<std::string_view, std::vector<const NamedBuiltin*>>;

const ByName& table() {
  static const ByName kTable = [] {
    ByName out;
    for (Family family : {number_builtins(), string_builtins(), list_builtins(), dict_builtins(),
                          tensor_builtins(), gradient_builtins(), misc_builtins()})
      for (const NamedBuiltin& builtin : family) out[builtin.name].push_back(&builtin);
    return out;
  }();
  return kTable;
}

}  // namespace

bool is_builtin(std::string_view name) { return table().contains(name); }

std::size_t deciding_arguments(std::string_view name) {
  const auto found = table().find(name);
  return found == table().end() ? NamedBuiltin::kAll : found->second.front()->deciding;
}

std::optional<Value> run_builtin(Evaluation& evaluation, std::string_view name, const Arguments& arguments) {
  auto found = table().find(name);
  if (found == table().end()) return std::nullopt;
  for (const NamedBuiltin* builtin : found->second)
    if (std::optional<Value> result = builtin->run(evaluation, arguments)) return result;
  return std::nullopt;
}

}  // namespace cameo::eval
