#include "eval/state/arguments.h"

namespace cameo::eval {

const Value* Arguments::find(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [key, value] : keywords)
    if (key == name) return &value;
  return nullptr;
}

}  // namespace cameo::eval
