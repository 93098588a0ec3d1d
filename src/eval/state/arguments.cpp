#include "eval/state/arguments.h"

#include <fmt/core.h>

#include "aten/arg.h"

namespace cameo::eval {

const Value* Arguments::find(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [key, value] : keywords)
    if (key == name) return &value;
  return nullptr;
}

const Value& Arguments::at(std::size_t position) const {
  if (position < positional.size()) return positional[position];
  throw aten::ProgramError(fmt::format("argument {} is missing", position + 1));
}

}  // namespace cameo::eval
