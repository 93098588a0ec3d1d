#pragma once
#include <cstdio>
#include <string_view>

#include "base/json.h"

namespace cameo::cli {

bool is_terminal(std::FILE* stream);
bool wants_color(std::FILE* stream);  // a terminal, without NO_COLOR and TERM=dumb
bool speaks_utf8();                   // according to the variables of the locale
std::size_t columns();                // of the terminal of stdout, or $COLUMNS, or 100

// Writes to a stream and flushes. Throws Error if a write fails, as on a full disk, and Exit if the reader of a
// pipe has closed it.
void print(std::string_view text, std::FILE* to = stdout);
void print_json(const Json& json, std::FILE* to = stdout);

}  // namespace cameo::cli
