// The whole of `cameo inspect` on arbitrary bytes: a report or a diagnostic, never anything else.

#include <cstddef>
#include <cstdint>

#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "inspect/code.h"
#include "inspect/report.h"
#include "program/open.h"

namespace {
template <class Work>
void attempt(const Work& work) {
  try {
    work();
  } catch (const cameo::Error& error) {
    cameo::format(error.diagnostics());
    cameo::format_json(error.diagnostics());
  }
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cameo;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  attempt([&] {
    const script::Program program = open_program(MappedFile::wrap(bytes, "fuzzed.pt"));
    attempt([&] {
      const inspect::Report report = inspect::gather(program);
      inspect::to_text(report, {.color = true, .lines = true});
      inspect::to_json(report);
    });
    attempt([&] {
      const inspect::SourceCode code{.file = "fuzzed.pt", .listings = inspect::list_code(program, "")};
      inspect::to_text(code, {.color = true, .lines = true, .width = 120});
      inspect::to_text(code, {});
      inspect::to_json(code);
    });
  });
  return 0;
}
