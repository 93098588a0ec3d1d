#include "cameo/diagnostic.h"

#include <utility>

namespace cameo {

Error::Error(Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }

Error::Error(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
  if (diagnostics_.empty()) throw InternalError("an Error needs at least one diagnostic");
}

}  // namespace cameo
