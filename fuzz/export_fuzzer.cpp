// Exports any records as a torch.export program: a model that the checker accepts or an Error, never anything else.
#include <cstddef>
#include <cstdint>

#include "cameo/export.h"
#include "cameo/format.h"
#include "records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = cameo::fuzz::archive_of({reinterpret_cast<const char*>(data), size});
  try {
    cameo::export_to_memory(cameo::ArchiveInMemory{.bytes = std::as_bytes(std::span(bytes))});
  } catch (const cameo::Error& error) {
    cameo::format(error.diagnostics());
  }
  return 0;
}
