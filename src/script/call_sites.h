#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "script/program.h"

namespace cameo::script {

// The calls of one function, nested functions included.
struct CallSites {
  std::map<std::string, std::int64_t> operators;  // "aten::add"
  std::vector<const FunctionDef*> functions;      // the program's own, once for each call
};

// The class of an attribute whose declared type does not name it: (class, attribute) → class.
using ConcreteClasses = std::map<std::pair<const ClassDef*, std::string_view>, const ClassDef*>;

// Resolves calls by the declared types of parameters and attributes.
CallSites find_calls(const Program& program, const FunctionDef& function, const ConcreteClasses& concrete);

}  // namespace cameo::script
