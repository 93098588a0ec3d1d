#include "cameo/diagnostic.h"

#include <utility>

namespace cameo {

Code missing_code() { throw InternalError("a diagnostic without a code"); }

Error::Error(Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }

Error::Error(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
  if (diagnostics_.empty()) throw InternalError("an Error needs at least one diagnostic");
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  throw InternalError("a severity without a name");
}

}  // namespace cameo
