// Reads any records as a torch.export program and lowers it to TorchScript: a program or an Error, never anything
// else. The weights that the signature names are read too.
#include <cstddef>
#include <cstdint>

#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "exported/lower/source.h"
#include "inspect/code.h"
#include "inspect/report.h"
#include "program/open.h"
#include "records.h"

namespace {

template <class Work>
void attempt(const Work& work) try {
  work();
} catch (const cameo::Error& error) {
  cameo::format(error.diagnostics());
}

void read_all(const cameo::exported::Program& program) {
  for (const std::string_view name : program.weight_names()) attempt([&] { program.weight(name); });
  for (const std::string_view name : program.constant_names()) attempt([&] { program.constant(name); });
  program.sample_inputs();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cameo;
  const std::string bytes = fuzz::archive_of({reinterpret_cast<const char*>(data), size});
  const auto file = MappedFile::wrap(std::as_bytes(std::span(bytes)), "fuzzed.pt2");
  attempt([&] { read_all(exported::Program(file)); });
  attempt([&] {
    const script::Program program = open_program(file);
    attempt([&] { inspect::to_text(inspect::gather(program), {.color = true, .lines = true}); });
    attempt([&] { inspect::list_code(program, ""); });
  });
  return 0;
}
