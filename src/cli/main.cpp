#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace {

void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int wrong_usage(const CLI::App& app, const std::string& message, const std::string& help) {
  complain(app.get_name() + ": " + message + "\n  " + help + "\n");
  return kWrongUsage;
}

int our_bug(const char* what) {
  complain(
      std::string("cameo: this is a bug in cameo: ") + what +
      "\n  please report this line, the command and, if you may share it, the file; version " CAMEO_VERSION
      "\n");
  return kOurBug;
}

// The sub-command of the command line, or the application if there is none.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

Vocabulary vocabulary(const CLI::App& app, const CLI::App& command) {
  Vocabulary known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.options.push_back("--" + name);
  }
  if (&command != &app) return known;
  for (const CLI::App* each : app.get_subcommands(nullptr)) known.commands.push_back(each->get_name());
  return known;
}

int explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    if (dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr) {
      print(std::string(error.what()) + "\n");
    } else {
      print(app.help());
    }
    return kFine;
  }
  const std::string help =
      "see " + (&command == &app ? app.get_name() : "cameo " + command.get_name()) + " --help";
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) {
    return wrong_usage(app, &command == &app ? "name a command, as in: cameo export model.pt" : error.what(),
                       help);
  }
  return wrong_usage(app, unknown_word(unknown.front(), vocabulary(app, command)), help);
}

struct Command {
  std::string_view name;
  void (*add)(CLI::App& app);
};
constexpr Command kCommands[] = {
    {"inspect", add_inspect},   {"export", add_export},   {"verify", add_verify},
    {"check", add_check},       {"print", add_print},     {"infer", add_infer},
    {"simplify", add_simplify}, {"extract", add_extract}, {"diff", add_diff},
    {"stats", add_stats},       {"io", add_io},           {"run", add_run},
    {"probe", add_probe},       {"ops", add_ops},
};

// Declares only the command that is called, because declaring all commands takes longer than running some of
// them. Declares all commands where help or a suggestion may be needed.
void add_commands(CLI::App& app, std::string_view asked) {
  const auto* chosen = std::ranges::find(kCommands, asked, &Command::name);
  if (chosen != std::end(kCommands)) return chosen->add(app);
  for (const Command& command : kCommands) command.add(app);
}

int run(int argc, const char* const* argv) {
  CLI::App app("Converts saved PyTorch programs to standard ONNX, without Python and without libtorch.",
               "cameo");
  app.set_version_flag("--version", "cameo " CAMEO_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.footer(
      "Examples:\n  cameo inspect model.pt   show the contents of a file\n"
      "  cameo export model.pt    write model.onnx\n  cameo export --help      print the options of a "
      "command");
  app.require_subcommand(1);
  add_commands(app, argc > 1 ? argv[1] : "");
  try {
    app.parse(argc, argv);
    return kFine;
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
}

int guarded_run(int argc, const char* const* argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    complain(format(error.diagnostics(), {.color = wants_color(stderr)}));
    return kInputAtFault;
  } catch (const std::exception& error) {
    return our_bug(error.what());
  }
}

}  // namespace
}  // namespace cameo::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then a failed write
  return cameo::cli::guarded_run(argc, argv);
}
