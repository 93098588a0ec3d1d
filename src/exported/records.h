#pragma once
// Where the parts of a torch.export program are in its archive.

#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.h"
#include "cameo/diagnostic.h"

namespace cameo::exported {

// Names of records, relative to the root folder. Lists are in order of preference, and any record but the program may
// be absent.
struct Records {
  std::string program;
  std::vector<std::string> weights, constants;                // what torch.save wrote
  std::vector<std::string> weight_configs, constant_configs;  // a JSON text with a record for each tensor
  std::string sample_inputs;
  std::string extra;  // the folder of the user's files
};

// The records of the program called `model`; empty: of the only one, or of the one called "model". Throws Error if there
// is no such program, or if the version of the archive is unknown.
Records find_records(const archive::Archive& archive, std::string_view model);

[[noreturn]] void fail_archive(const archive::Archive& archive, Code code, std::string message,
                               std::string hint);

}  // namespace cameo::exported
