#pragma once
#include <span>
#include <string>

#include "cameo/diagnostic.h"

namespace cameo {

struct FormatOptions {
  bool color = false;  // ANSI escapes
};

// Draws a diagnostic as a compiler would: cause, places with carets, notes, hint; ends in a newline.
std::string format(const Diagnostic& diagnostic, const FormatOptions& options = {});
std::string format(std::span<const Diagnostic> diagnostics, const FormatOptions& options = {});

// The same as a JSON array, one object a diagnostic, absent fields left out.
std::string format_json(std::span<const Diagnostic> diagnostics);

}  // namespace cameo
