#pragma once
#include <string>

#include "cameo/export.h"

namespace cameo::cli {

struct ExportTextOptions {
  std::string model;   // the path as given
  std::string output;  // the path as given
  bool color = false;
  std::size_t width = 100;
  bool timings = false;  // print the time of each stage
};

// The summary of `cameo export`: the exported model, and commands to run next.
std::string export_text(const ExportReport& report, const ExportOptions& asked,
                        const ExportTextOptions& options);

}  // namespace cameo::cli
