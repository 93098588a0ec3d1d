#include "cameo/inspect.h"

#include "inspect/code.h"
#include "inspect/report.h"
#include "program/open.h"

namespace cameo::inspect {

Report program(const std::string& path) { return gather(open_program(MappedFile::open(path))); }

Report program(std::span<const std::byte> bytes, const std::string& name) {
  return gather(open_program(MappedFile::wrap(bytes, name)));
}

SourceCode source(const std::string& path, const std::string& name) {
  return {.file = path, .listings = list_code(open_program(MappedFile::open(path)), name)};
}

}  // namespace cameo::inspect
