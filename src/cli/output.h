#pragma once
#include <cstdio>
#include <string>

namespace cameo::cli {

// The path that the value of -o stands for: "-" is standard output. Throws WrongUsage if that is a terminal.
std::string output_path(const std::string& given);
// Where a command prints its text: standard error if the output `path` is standard output.
std::FILE* text_stream(const std::string& path);
// A device, a FIFO or a socket: it cannot be read again, and no file can stand beside it.
bool is_stream(const std::string& path);

}  // namespace cameo::cli
