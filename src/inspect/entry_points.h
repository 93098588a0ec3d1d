#pragma once
// What can be called, and with what.

#include <optional>
#include <string>
#include <vector>

#include "script/program.h"

namespace cameo::inspect {

struct Argument {
  std::string name;
  std::string type;                          // "Optional[Tensor]"; classes by their Python names
  std::optional<std::string> default_value;  // as it is written in the program
};

// The arguments of one call that the file holds for trying the program out, each as text:
// "f32[1, 3, 224, 224]".
struct Example {
  bool bundled = false;  // added by the user for a phone, not remembered from tracing
  std::vector<std::string> arguments;
};

// A method of the root module that is called from outside.
struct EntryPoint {
  std::string name;
  std::vector<Argument> arguments;  // without self
  std::string returns;
  std::vector<Example> examples;
};

// forward first, the rest in the program's order; without private methods and helpers that PyTorch generates.
std::vector<EntryPoint> gather_entry_points(const script::Program& program);

}  // namespace cameo::inspect
