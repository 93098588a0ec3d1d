#pragma once
#include <span>
#include <string>

#include "cameo/diagnostic.h"

namespace cameo {

struct FormatOptions {
  bool color = false;  // ANSI escapes
};

// A diagnostic as a compiler prints it: cause, places with carets, notes, hint. Ends with a newline.
std::string format(const Diagnostic& diagnostic, const FormatOptions& options = {});
std::string format(std::span<const Diagnostic> diagnostics, const FormatOptions& options = {});

// The same as a JSON array: one object per diagnostic, without absent fields.
std::string format_json(std::span<const Diagnostic> diagnostics);

}  // namespace cameo
