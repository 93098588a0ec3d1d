#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/manual.h"

namespace cameo::cli {
namespace shell_completion {

using Commands = std::span<const CommandText>;  // the sub-commands

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string names_of(Commands commands) {
  std::string out;
  for (const CommandText& each : commands) out += (out.empty() ? "" : " ") + each.name;
  return out;
}

std::string options_of(const CommandText& command) {
  std::string out;
  for (const OptionText& each : command.options) out += (out.empty() ? "" : " ") + joined(each.names);
  return out;
}

// The first line of a help, without characters that are special within '…' and […].
std::string summary(const std::string& help) {
  std::string out;
  for (const char c : help) {
    if (c == '\'' || c == '[' || c == ']' || c == ':' || c == '\\') continue;
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string bash(Commands commands) {
  std::string out =
      "# bash completion for cameo\n_cameo() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values=\n"
      "  if ((COMP_CWORD == 1)); then\n";
  out += fmt::format(
      "    mapfile -t COMPREPLY < <(compgen -W '{} help --help --version' -- \"$word\")\n    return\n  fi\n",
      names_of(commands));
  out += "  case ${COMP_WORDS[1]} in\n";
  for (const CommandText& command : commands) {
    out += fmt::format("    {})\n      options='{}'\n      case $before in\n", command.name,
                       options_of(command));
    for (const OptionText& each : command.options) {
      if (each.choices.empty()) continue;
      std::string pattern = joined(each.names);
      std::ranges::replace(pattern, ' ', '|');
      out += fmt::format("        {}) values='{}' ;;\n", pattern, joined(each.choices));
    }
    out += "      esac ;;\n";
  }
  out += fmt::format("    help) values='{}' ;;\n  esac\n", names_of(commands));
  return out +
         "  if [[ $values ]]; then\n    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
         "  elif [[ $word == -* ]]; then\n    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- "
         "\"$word\")\n"
         "  else\n    compopt -o filenames\n    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n  fi\n}\n"
         "complete -F _cameo cameo\n";
}

std::string zsh_option(const OptionText& option) {
  std::string value;
  if (!option.value.empty() && !option.value.starts_with('['))
    value = option.choices.empty() ? fmt::format(":{}:_files", summary(option.value))
                                   : fmt::format(":value:({})", joined(option.choices));
  std::string out;
  for (const std::string& name : option.names)
    out += fmt::format("        '*{}[{}]{}' \\\n", name, summary(option.help), value);
  return out;
}

std::string zsh(Commands commands) {
  std::string out = "#compdef cameo\n_cameo() {\n  local -a commands=(\n";
  for (const CommandText& command : commands)
    out += fmt::format("    '{}:{}'\n", command.name, summary(command.help));
  out +=
      "    'help:Print the help of a command'\n  )\n  if ((CURRENT == 2)); then\n    _describe command "
      "commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CommandText& command : commands) {
    out += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const OptionText& each : command.options) out += zsh_option(each);
    out += "        '*:file:_files' ;;\n";
  }
  return out + "    help) _describe command commands ;;\n  esac\n}\n_cameo \"$@\"\n";
}

std::string fish_option(const CommandText& command, const OptionText& option) {
  std::string out = fmt::format("complete -c cameo -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty())
    out += fmt::format(" -x -a '{}'", joined(option.choices));
  else if (!option.value.empty() && !option.value.starts_with('['))
    out += " -r";
  return out + fmt::format(" -d '{}'\n", summary(option.help));
}

std::string fish(Commands commands) {
  std::string out = "# fish completion for cameo\n";
  for (const CommandText& command : commands)
    out += fmt::format("complete -c cameo -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                       summary(command.help));
  out +=
      fmt::format("complete -c cameo -n '__fish_seen_subcommand_from help' -f -a '{}'\n", names_of(commands));
  for (const CommandText& command : commands)
    for (const OptionText& each : command.options) out += fish_option(command, each);
  return out;
}

}  // namespace shell_completion

std::string completion(const std::vector<CommandText>& commands, const std::string& shell) {
  using namespace shell_completion;
  const Commands all = std::span(commands).subspan(1);
  if (shell == "bash") return bash(all);
  if (shell == "zsh") return zsh(all);
  if (shell == "fish") return fish(all);
  throw WrongUsage("there is no completion for the shell '" + printable(shell) +
                   "'; there is one for bash, zsh and fish");
}

}  // namespace cameo::cli
