#pragma once
#include <string>
#include <vector>

#include "cli/options.h"

namespace cameo::cli {

// The man page of a sub-command, or of the application if `name` is empty. `commands` is Program::describe().
// Throws WrongUsage if there is no such command.
std::string manual(const std::vector<CommandText>& commands, const std::string& name);

// The script that completes the command line in a shell: bash, zsh or fish. Throws WrongUsage for another one.
std::string completion(const std::vector<CommandText>& commands, const std::string& shell);

}  // namespace cameo::cli
