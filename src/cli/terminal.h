#pragma once
#include <cstdio>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace cameo::cli {

bool is_terminal(std::FILE* stream);
bool wants_color(std::FILE* stream);  // a terminal, and neither NO_COLOR nor TERM=dumb speaks against it
bool speaks_utf8();                   // by the locale's variables
int columns();                        // of the terminal behind stdout, or of $COLUMNS; 100 if neither says

// Writes to stdout and flushes. Throws Error if not all of it arrives: a full disk, a closed pipe.
void print(std::string_view text);
void print_json(const nlohmann::ordered_json& json);

}  // namespace cameo::cli
