#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exported/graph_reader.h"
#include "exported/program.h"

namespace cameo::exported {

// The record of an exported program, read.
struct Module {
  Versions versions;
  Graph graph;
  Signature signature;
  std::vector<Range> ranges;
  std::vector<ModuleCall> calls;
  std::vector<std::string> guards;
  std::vector<InlineConstant> constants;  // of schema 1
};

// Reads a record. Throws Error: damaged JSON, an unsupported schema version, a structure that is not the schema's.
// `text` and `arena` must outlive the result.
Module read_module(std::string_view text, Arena& arena, const JsonSource& source);

}  // namespace cameo::exported
