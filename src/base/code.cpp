#include "cameo/code.h"

#include <algorithm>

#include "cameo/diagnostic.h"

namespace cameo {

std::string_view name(Stage stage) {
  switch (stage) {
    case Stage::read: return "read";
    case Stage::trace: return "trace";
    case Stage::evaluate: return "evaluate";
    case Stage::convert: return "convert";
    case Stage::check: return "check";
    case Stage::write: return "write";
    case Stage::run: return "run";
  }
  throw InternalError("a stage without a name");
}

std::optional<Code> find_code(std::string_view name) {
  const CodeInfo* found = std::ranges::find(kCodes, name, &CodeInfo::name);
  return found == std::end(kCodes) ? std::nullopt : std::optional(found->code);
}

}  // namespace cameo
