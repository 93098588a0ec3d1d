#pragma once
#include <string>

#include "cameo/export.h"

namespace cameo::cli {

struct ExportTextOptions {
  std::string model;   // as the user named it
  std::string output;  // likewise
  bool color = false;
  int width = 100;
  bool timings = false;  // show how long each stage took
};

// What was exported, and what can be done next: the closing words of `cameo export`.
std::string export_text(const ExportReport& report, const ExportOptions& asked,
                        const ExportTextOptions& options);

}  // namespace cameo::cli
