#include "cameo/inspect.h"

#include "inspect/code.h"
#include "inspect/report.h"
#include "program/open.h"

namespace cameo::inspect {

Report program(const std::string& path) { return gather(open_program(MappedFile::open(path))); }

SourceCode source(const std::string& path, const std::string& name) {
  return {.file = path, .listings = list_code(open_program(MappedFile::open(path)), name)};
}

}  // namespace cameo::inspect
