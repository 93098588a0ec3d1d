#pragma once
#include <string_view>

#include "script/ast.h"

namespace cameo::script {

// Parses one code file; `text` must outlive the result. Throws Error with the position of the fault.
SourceFile parse(std::string_view name, std::string_view text);

// Parses functions that are a part of `text` and are indented by `indentation` columns. The part is not empty.
SourceFile parse_functions(std::string_view name, std::string_view text, Range part,
                           std::uint32_t indentation);

// Parses an expression that is a part of `text`.
ExprPtr parse_expression(std::string_view name, std::string_view text, Range part);

// Parses a type alone, as it stands in the tags of pickles: "Dict[str, List[int]]".
ExprPtr parse_type(std::string_view text);

}  // namespace cameo::script
