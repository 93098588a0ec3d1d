#pragma once
#include <string>
#include <string_view>

#include "cameo/diagnostic.h"
#include "script/ast.h"

namespace cameo::script {

// The place of `range` in `text`; what reaches beyond its first line is not marked. Offsets beyond the text
// mean its end.
Position position_of(std::string_view file, std::string_view text, Range range);

// Throws the Error of a code file that does not parse.
[[noreturn]] void syntax_error(std::string_view file, std::string_view text, Range range,
                               std::string message);

}  // namespace cameo::script
