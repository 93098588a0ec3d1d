#include "script/fault.h"

#include <algorithm>

namespace cameo::script {

Position position_of(std::string_view file, std::string_view text, Range range) {
  const std::size_t begin = std::min<std::size_t>(range.begin, text.size());
  const std::string_view before = text.substr(0, begin);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is the text's begin
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  const std::size_t end = std::clamp<std::size_t>(range.end, begin, line_end);
  std::string_view line = text.substr(line_begin, line_end - line_begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {.file = std::string(file),
          .line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          .column = static_cast<int>(begin - line_begin) + 1,
          .length = std::max(1, static_cast<int>(end - begin)),
          .text = std::string(line),
          .function = {}};
}

void syntax_error(std::string_view file, std::string_view text, Range range, std::string message) {
  Diagnostic diagnostic{.code = Code::script_syntax};
  diagnostic.message = std::move(message);
  diagnostic.record = file;
  diagnostic.offset = range.begin;
  diagnostic.script = position_of(file, text, range);
  diagnostic.hint =
      "the code in the archive is damaged or was edited; save the model again with torch.jit.save";
  throw Error(std::move(diagnostic));
}

}  // namespace cameo::script
