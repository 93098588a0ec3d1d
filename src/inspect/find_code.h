#pragma once
#include <string>
#include <vector>

#include "script/program.h"

namespace cameo::inspect {

// A part of a code file that has a name.
struct Code {
  std::string title;
  const script::SourceFile* file = nullptr;
  script::Range range;
};

// The code called `name`, by the first of these readings that finds something: a method of the root, a path
// of a module with or without a method, a code file, a qualified or simple name of a definition.
std::vector<Code> find_code(const script::Program& program, const std::string& name);

// The method or function that holds a line of a code file; without a file if none does.
Code code_at(const script::Program& program, std::string_view file, int line);

// Every name of the last four readings, for suggestions; classes and functions by their simple names.
std::vector<std::string> names_of_code(const script::Program& program);

}  // namespace cameo::inspect
