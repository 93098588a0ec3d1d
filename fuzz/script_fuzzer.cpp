// Any text parses or is refused with an Error; what parses also prints, and reads back as an equal tree.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cameo/diagnostic.h"
#include "script/parse.h"
#include "script/print.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cameo::script;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  SourceFile file;
  try {
    file = parse("code/fuzz.py", text);
  } catch (const cameo::Error&) {
    return 0;
  }
  const std::string printed = print(file);
  if (!equal(file, parse("code/fuzz.py", printed))) std::abort();
  return 0;
}
