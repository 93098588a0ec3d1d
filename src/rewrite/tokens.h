#pragma once
// The text of a rules file as tokens. Line ends mean nothing, but a token knows whether it begins a line.

#include <string_view>
#include <vector>

#include "rewrite/rules.h"

namespace cameo::rewrite {

struct Token {
  enum class Kind : std::uint8_t { end, name, number, string, weight, symbol };
  Kind kind = Kind::end;
  Range range;
  std::string_view text;  // of a weight without '$'
  bool begins_line = false;
};

// The tokens, with one of kind `end` at the end. Comments begin with '#'. Throws Error (Code::bad_rewrite).
std::vector<Token> tokens(const RuleFile& file);

}  // namespace cameo::rewrite
