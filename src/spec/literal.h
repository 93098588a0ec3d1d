#pragma once
// JSON and Python literals as values, for options such as --dynamic-axes.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cameo/code.h"

namespace cameo {

struct Literal {
  struct Null {};
  struct Entry;
  using List = std::vector<Literal>;  // a tuple too
  using Dict = std::vector<Entry>;

  std::variant<Null, bool, std::int64_t, double, std::string, List, Dict> value;
  std::size_t at = 0;  // its place in the text

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
};

struct Literal::Entry {
  Literal key, value;
};

// Throws Error with `code` and a caret under the place of the fault; `option` names the text.
Literal parse_literal(std::string_view text, std::string_view option, Code code);

// An error whose caret stands at `at` of the text.
[[noreturn]] void fail_at(std::string_view text, std::size_t at, std::string_view option, Code code,
                          std::string message, std::string hint = {});

}  // namespace cameo
