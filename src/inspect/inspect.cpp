#include "cameo/inspect.h"

#include "inspect/code_text.h"
#include "inspect/json.h"
#include "inspect/report.h"
#include "inspect/text.h"
#include "program/open.h"

namespace cameo {

std::string inspect_file(const std::string& path, const InspectOptions& options) {
  const script::Program program = open_program(MappedFile::open(path));
  const inspect::Report report = inspect::gather(program);
  return options.json ? inspect::to_json(report) : inspect::to_text(report, options);
}

std::string inspect_code(const std::string& path, const std::string& name, const InspectOptions& options) {
  const script::Program program = open_program(MappedFile::open(path));
  const std::vector<inspect::Listing> listings = inspect::list_code(program, name);
  return options.json ? inspect::to_json(path, listings) : inspect::to_text(listings, options);
}

}  // namespace cameo
