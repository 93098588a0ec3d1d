#include <fmt/core.h>

#include "base/new_file.h"
#include "export/report/report.h"

namespace cameo {
namespace {

using Format = std::string (*)(const ReportFile&);

Format format_of(const std::string& path) {
  if (path.ends_with(".json")) return report_json;
  if (path.ends_with(".sarif")) return report_sarif;
  if (path.ends_with(".md")) return report_markdown;
  throw Error(Diagnostic{.code = Code::unknown_report,
                         .message = "the extension of a report file must be .json, .sarif or .md",
                         .file = path,
                         .hint = "name it .json, .sarif or .md"});
}

}  // namespace

void check_report_path(const std::string& path) { format_of(path); }

void write_report(const std::string& path, const ReportFile& file) {
  const std::string text = format_of(path)(file);
  NewFile out(path);
  out.append(text);
  out.commit();
}

}  // namespace cameo
