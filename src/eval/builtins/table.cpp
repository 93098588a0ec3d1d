#include <map>
#include <vector>

#include "eval/builtins.h"

namespace cameo::eval {
namespace {

using Family = std::span<const NamedBuiltin>;

const std::map<std::string_view, std::vector<Builtin>>& table() {
  static const std::map<std::string_view, std::vector<Builtin>> kTable = [] {
    std::map<std::string_view, std::vector<Builtin>> out;
    for (Family family : {number_builtins(), string_builtins(), list_builtins(), dict_builtins(),
                          tensor_builtins(), misc_builtins()})
      for (const NamedBuiltin& builtin : family) out[builtin.name].push_back(builtin.run);
    return out;
  }();
  return kTable;
}

}  // namespace

bool is_builtin(std::string_view name) { return table().contains(name); }

std::optional<Value> run_builtin(Evaluator& evaluator, std::string_view name, const Arguments& arguments) {
  auto found = table().find(name);
  if (found == table().end()) return std::nullopt;
  for (Builtin builtin : found->second)
    if (std::optional<Value> result = builtin(evaluator, arguments)) return result;
  return std::nullopt;
}

}  // namespace cameo::eval
