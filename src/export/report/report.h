#pragma once
// The report of an export as a file: JSON (.json), SARIF for code-scanning tools (.sarif) or Markdown (.md).

#include <string>
#include <vector>

#include "cameo/export.h"

namespace cameo {

struct ReportFile {
  std::string model;            // as the user named it
  std::string output;           // likewise
  std::string version;          // of Cameo
  const ExportReport* report;   // null if the export failed
  std::vector<Diagnostic> all;  // warnings, or the errors
};

std::string report_json(const ReportFile& file);
std::string report_sarif(const ReportFile& file);  // SARIF 2.1.0
std::string report_markdown(const ReportFile& file);

// Throws Error if the extension of `path` is none of the three.
void check_report_path(const std::string& path);
// By the extension; the file appears only when it is complete. Throws Error.
void write_report(const std::string& path, const ReportFile& file);

}  // namespace cameo
