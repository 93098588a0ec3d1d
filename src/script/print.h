#pragma once
#include <string>

#include "script/ast.h"

namespace cameo::script {

// Source text that parses to an equal tree.
std::string print(const SourceFile& file);
std::string print(const Expr& expr);
std::string print(const FunctionDef& function);

}  // namespace cameo::script
