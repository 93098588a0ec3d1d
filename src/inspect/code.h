#pragma once
// Source to show: which, and where each line came from.

#include <string>
#include <string_view>
#include <vector>

#include "inspect/find_code.h"
#include "script/program.h"

namespace cameo::inspect {

struct CodeLine {
  int number = 0;
  std::string_view text;
  // The user's own source of this line, innermost call first; empty if unknown or as for the line before.
  std::vector<Position> python;
  bool same_python = false;  // as for the line before
};

struct Listing {
  std::string title;      // "__torch__.Net.forward"
  std::string_view file;  // "code/__torch__.py"
  std::vector<CodeLine> lines;
};

// What cameo::inspect_code() means by `name`; several listings if several definitions bear it. Throws Error
// if none does.
std::vector<Listing> list_code(const script::Program& program, const std::string& name);

Listing list_code(const script::Program& program, const Code& code);

// Of the calls that led to a line, the one in the user's own source rather than in PyTorch's.
const Position& own_frame(const std::vector<Position>& python);

}  // namespace cameo::inspect
