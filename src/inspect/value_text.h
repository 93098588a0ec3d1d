#pragma once
#include <string>

#include "archive/value.h"
#include "script/ast.h"

namespace cameo::inspect {

// A value in brief: "f32[1, 3, 224, 224]", "(i64[1, 16], 3, \"text\")". Long and deep ones are cut.
std::string value_text(const archive::Value& value);

// A type with classes by their Python names, not the mangled ones.
std::string type_text(const script::Expr& type);

}  // namespace cameo::inspect
