// Opens any bytes as a zip archive, reads every record, and asks what kind of file it is.
#include "archive/archive.h"
#include "archive/kind.h"
#include "cameo/diagnostic.h"

using namespace cameo;
using namespace cameo::archive;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = MappedFile::wrap({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  const Kind kind = kind_of(file);
  if (!holds_program(kind)) explain(kind, *file);
  try {
    const Archive archive(file);
    for (const Record& record : archive.zip().records()) archive.zip().read(record);
    for (const std::string_view name : archive.names()) archive.read(name);
  } catch (const Error&) {
  }
  return 0;
}
