#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cameo/diagnostic.h"
#include "cameo/format.h"
#include "cameo/version.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/suggest.h"
#include "cli/terminal.h"
#include "cli/version_text.h"

namespace cameo::cli {
namespace {

void complain(const std::string& text) { std::fputs(text.c_str(), stderr); }

int our_bug(const char* what) {
  complain(std::string("cameo: this is a bug in cameo: ") + what +
           "\n  please report this line, the command and, if you may share it, the file; version " +
           std::string(version()) + "\n");
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
    {"inspect", add_inspect},
    {"export", add_export},
    {"verify", add_verify},
    {"check", add_check},
    {"print", add_print},
    {"view", add_view},
    {"infer", add_infer},
    {"simplify", add_simplify},
    {"extract", add_extract},
    {"split", add_split},
    {"cast", add_cast},
    {"quantize", add_quantize},
    {"linger", add_linger},
    {"diff", add_diff},
    {"stats", add_stats},
    {"io", add_io},
    {"run", add_run},
    {"probe", add_probe},
    {"ops", add_ops},
    {"doctor", add_doctor},
};

// Declares only the command that is called, because declaring all commands takes longer than running some of
// them. Declares all commands where help or a suggestion may be needed.
void add_commands(Command application, std::string_view asked) {
  const auto* chosen = std::ranges::find(kCommands, asked, &Entry::name);
  if (chosen != std::end(kCommands)) return chosen->add(application);
  for (const Entry& entry : kCommands) entry.add(application);
}

// `cameo man [COMMAND]` and `cameo completion SHELL`, which print what an installation contains. They do not
// appear in the help.
std::optional<std::string> installed_text(const Program& program,
                                          const std::vector<std::string_view>& words) {
  if (words.size() < 2 || words.size() > 3 || (words[1] != "man" && words[1] != "completion"))
    return std::nullopt;
  for (const Entry& entry : kCommands) entry.add(program.command());
  const std::string name(words.size() == 3 ? words[2] : "");
  return words[1] == "man" ? manual(program.describe(), name) : completion(program.describe(), name);
}

// `cameo help export` is `cameo export --help`. Throws WrongUsage if there is no such command.
std::vector<const char*> without_help(std::vector<const char*> words) {
  if (words.size() < 2 || std::string_view(words[1]) != "help") return words;
  Vocabulary known;
  for (const Entry& entry : kCommands) known.commands.emplace_back(entry.name);
  if (words.size() > 2 && std::ranges::find(known.commands, words[2]) == known.commands.end())
    throw WrongUsage(unknown_word(words[2], known));
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

// Options in the spelling of torch.onnx.export: --opset_version is --opset, and --input_names is --input-names.
class OwnSpelling {
 public:
  explicit OwnSpelling(const std::vector<const char*>& given) : words_(given.begin(), given.end()) {
    for (std::string& word : words_) {
      if (word == "--") break;
      if (word.starts_with("--")) word = own_option(word);
    }
  }
  std::vector<const char*> words() const {
    std::vector<const char*> out;
    for (const std::string& word : words_) out.push_back(word.c_str());
    return out;
  }

 private:
  std::vector<std::string> words_;
};

int run(const std::vector<const char*>& words) {
  Program program("cameo",
                  "Converts saved PyTorch programs to standard ONNX, without Python and without libtorch.",
                  version_text);
  program.command().footer(
      "Examples:\n  cameo inspect model.pt   show the contents of a file\n"
      "  cameo export model.pt    write model.onnx\n  cameo export --help      print the options of a "
      "command");
  if (const auto text = installed_text(program, {words.begin(), words.end()})) {
    print(*text);
    return kFine;
  }
  try {
    add_commands(program.command(), words.size() > 1 ? words[1] : "");
    program.run(static_cast<int>(words.size()), words.data());
    return kFine;
  } catch (const Exit& exit) {
    if (!exit.text().empty()) print(exit.text());
    return exit.code();
  } catch (const WrongUsage& error) {
    return explain(program, error);
  }
}

int guarded_run(const std::vector<const char*>& words) {
  try {
    return run(without_help(words));
  } catch (const Exit& exit) {  // the reader of the help has closed the pipe
    return exit.code();
  } catch (const WrongUsage& error) {  // of a command that the Program does not have
    complain(std::string("cameo: ") + error.what() + "\n  see cameo --help\n");
    return kWrongUsage;
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
  const cameo::cli::OwnSpelling spelling({argv, argv + argc});
  return cameo::cli::guarded_run(spelling.words());
}
