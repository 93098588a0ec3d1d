#pragma once
// The arguments of forward(), as the signature and the tree specification name them.

#include <string>
#include <vector>

#include "exported/program.h"
#include "script/program_source.h"

namespace cameo::exported {

std::string key_text(const TreeSpec::Key& key);

struct ForwardInput {
  const InputSpec* spec = nullptr;
  std::string name;         // of a user input: "x", "state_hidden", "pair_0"
  bool constant = false;    // a value that the file fixes
  std::string_view number;  // "int", "float" or "bool": a number that is known at run time; else empty
};
// One for each input of the graph.
std::vector<ForwardInput> forward_inputs(const Program& program);

// The inputs of the exported model: user inputs that are not constant, with their types and sizes.
std::vector<script::DeclaredInput> declared_inputs(const Program& program);

}  // namespace cameo::exported
