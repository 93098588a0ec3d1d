#pragma once
// The facts about a program, gathered once; the renderers (text.h, json.h) only lay them out.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/entry_points.h"
#include "inspect/modules.h"
#include "inspect/origin.h"
#include "inspect/saver.h"
#include "script/operators.h"
#include "script/program.h"

namespace cameo::inspect {

struct Report {
  std::string file;
  std::uint64_t file_size = 0;
  Origin origin = Origin::unknown;
  bool frozen = false;     // weights are constants of the code
  bool mobile = false;     // bytecode for the lite interpreter stands beside the program
  bool quantized = false;  // some weights are
  int format_version = 0;  // 0: the file does not say
  Saver saver;
  std::optional<bool> training;  // the root module's flag, if it has one
  std::vector<EntryPoint> entry_points;
  ModuleTree modules;
  // Calls in one run of the first entry point, as script::count_operators counts them; in all code if there
  // is no entry point.
  std::vector<script::OperatorCount> operators;
  std::vector<std::string> extra_files;  // records that the user added
};

// Reads all of the program's code and objects, no tensor's bytes. Throws Error if a part does not parse.
Report gather(const script::Program& program);

}  // namespace cameo::inspect
