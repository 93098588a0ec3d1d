#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/state/value.h"

namespace cameo::eval {

// The arguments of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> keywords;
  std::size_t results = 1;    // the number of results that the caller takes
  std::string overload = {};  // "Tensor" in ops.aten.add.Tensor; empty if the call names none

  std::size_t count() const { return positional.size() + keywords.size(); }
  // The argument at `position` or of this name; null if there is none.
  const Value* find(std::size_t position, std::string_view name) const;
  // The positional argument. Throws aten::ProgramError if there is none.
  const Value& at(std::size_t position) const;
};

}  // namespace cameo::eval
