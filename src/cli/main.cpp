#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace {

void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int our_bug(const char* what) {
  complain(
      std::string("cameo: this is a bug in cameo: ") + what +
      "\n  please report this line, the command and, if you may share it, the file; version " CAMEO_VERSION
      "\n");
  return kOurBug;
}

int explain(const Program& program, const WrongUsage& error) {
  const std::string command = program.chosen();
  const std::vector<std::string> unknown = program.unknown_words();
  std::string message = command.empty() ? "name a command, as in: cameo export model.pt" : error.what();
  if (!unknown.empty()) message = unknown_word(unknown.front(), program.vocabulary());
  complain("cameo: " + message + "\n  see cameo " + command + (command.empty() ? "" : " ") + "--help\n");
  return kWrongUsage;
}

struct Entry {
  std::string_view name;
  void (*add)(Command application);
};
constexpr Entry kCommands[] = {
    {"inspect", add_inspect},   {"export", add_export},   {"verify", add_verify},
    {"check", add_check},       {"print", add_print},     {"infer", add_infer},
    {"simplify", add_simplify}, {"extract", add_extract}, {"diff", add_diff},
    {"stats", add_stats},       {"io", add_io},           {"run", add_run},
    {"probe", add_probe},       {"ops", add_ops},
};

// Declares only the command that is called, because declaring all commands takes longer than running some of
// them. Declares all commands where help or a suggestion may be needed.
void add_commands(Command application, std::string_view asked) {
  const auto* chosen = std::ranges::find(kCommands, asked, &Entry::name);
  if (chosen != std::end(kCommands)) return chosen->add(application);
  for (const Entry& entry : kCommands) entry.add(application);
}

int run(int argc, const char* const* argv) {
  Program program("cameo",
                  "Converts saved PyTorch programs to standard ONNX, without Python and without libtorch.",
                  "cameo " CAMEO_VERSION);
  program.command().footer(
      "Examples:\n  cameo inspect model.pt   show the contents of a file\n"
      "  cameo export model.pt    write model.onnx\n  cameo export --help      print the options of a "
      "command");
  add_commands(program.command(), argc > 1 ? argv[1] : "");
  try {
    program.run(argc, argv);
    return kFine;
  } catch (const Exit& exit) {
    if (!exit.text().empty()) print(exit.text());
    return exit.code();
  } catch (const WrongUsage& error) {
    return explain(program, error);
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
