#include <fmt/core.h>

#include "base/temporary_folder.h"
#include "cameo/diagnostic.h"
#include "cameo/version.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "runtime/library.h"
#include "verify/bridge.h"

namespace cameo::cli {
namespace doctor_command {

constexpr const char* kExamples = R"(Example:
  cameo doctor    the exit code is 0 if all parts are there, and 1 if one is missing)";

struct Part {
  const char *name, *purpose;
  std::string found;  // empty: it is missing
  std::vector<std::string> notes;
};

// `look` returns what it finds, or throws Error.
template <class Look>
Part examine(const char* name, const char* purpose, Look look) {
  try {
    return {name, purpose, look(), {}};
  } catch (const Error& error) {
    const Diagnostic& cause = error.diagnostics().front();
    Part part{name, purpose, {}, {cause.message}};
    part.notes.insert(part.notes.end(), cause.notes.begin(), cause.notes.end());
    if (!cause.hint.empty()) part.notes.push_back("hint: " + cause.hint);
    return part;
  }
}

std::string runtime() {
  const auto library = runtime::Library::load("");
  return library->version() + " in " + library->path();
}

std::string libtorch() {
  const verify::Bridge& bridge = verify::load_bridge("");
  const std::string file = verify::bridge_file();
  return fmt::format("{} through {}", bridge.torch_version, file.empty() ? "the system's loader" : file);
}

std::string text_of(const Part& part) {
  std::string text = fmt::format("{:<13} {}\n", part.name, part.found.empty() ? "missing" : part.found);
  for (const std::string& note : part.notes) text += "  " + note + "\n";
  return part.found.empty() ? text + "  needed for: " + part.purpose + "\n" : text;
}

void run() {
  const Part parts[] = {
      examine("ONNX Runtime", "cameo run, cameo probe, cameo simplify --verify, cameo verify", runtime),
      examine("libtorch", "cameo verify, cameo export --verify", libtorch),
      examine("temporary", "outputs to devices and pipes",
              [] { return TemporaryFolder().path().parent_path().string(); }),
  };
  std::string text = fmt::format("{:<13} {}{}\n", "cameo", version(),
                                 commit().empty() ? "" : fmt::format(", commit {}", commit()));
  bool complete = true;
  for (const Part& part : parts) {
    text += text_of(part);
    complete = complete && !part.found.empty();
  }
  print(text);
  if (!complete) throw Exit(kInputAtFault);
}

}  // namespace doctor_command

void add_doctor(Command app) {
  const Command command =
      app.add_subcommand("doctor", "Show which optional parts are found and which are missing");
  command.footer(doctor_command::kExamples);
  command.callback(doctor_command::run);
}

}  // namespace cameo::cli
