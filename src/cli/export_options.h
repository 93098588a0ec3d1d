#pragma once
#include <string>
#include <vector>

#include "cameo/export.h"
#include "cli/options.h"

namespace cameo::cli {

// The arguments of `cameo export`.
struct ExportArguments {
  std::string model;
  std::string output;
  ExportOptions options;  // without `inputs`
  std::vector<std::string> inputs;
  std::string unroll;  // the value of --unroll-loops: a number, or "true" for any
  std::string report;  // a file; empty for none
  std::vector<std::string> plugins;
  std::vector<std::string> rewrites;  // rules files
  bool quiet = false;
  bool timings = false;
  bool verify = false;
};

// Declares the options on the sub-command; `arguments` must outlive it.
void add_export_options(Command command, ExportArguments& arguments);

// Declares only the options for the program: arguments, sizes, opset.
void add_program_options(Command command, ExportArguments& arguments);

std::int64_t iterations_to_unroll(const ExportArguments& arguments);

}  // namespace cameo::cli
