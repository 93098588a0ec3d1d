#pragma once
#include <cstdio>
#include <string_view>

#include "base/json.h"

namespace cameo::cli {

bool is_terminal(std::FILE* stream);
bool wants_color(std::FILE* stream);  // a terminal, without NO_COLOR and TERM=dumb
bool speaks_utf8();                   // according to the variables of the locale
std::size_t columns();                // of the terminal of stdout, or $COLUMNS, or 100

// Writes to stdout and flushes. Throws Error if a write fails: a full disk, a closed pipe.
void print(std::string_view text);
void print_json(const Json& json);

}  // namespace cameo::cli
