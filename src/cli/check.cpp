#include <algorithm>
#include <memory>

#include <fmt/core.h>
#include "base/diagnostic_json.h"
#include "base/json.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace check_command {

struct Arguments {
  std::vector<std::string> files;
  bool full = false;
  bool json = false;
};

constexpr const char* kExamples = R"(Examples:
  cameo check model.onnx                 check one model
  cameo check *.onnx                     check several models
  cameo check model.onnx --full          check shapes, too
  cameo check model.onnx --json | jq .   print JSON)";

// A file that cannot be read is an error, too. The other files are checked nevertheless.
std::vector<Diagnostic> findings(const std::string& file, bool full) {
  try {
    return Model(file).check({.full = full});
  } catch (const Error& error) {
    return error.diagnostics();
  }
}

std::ptrdiff_t count(const std::vector<Diagnostic>& diagnostics, Severity severity) {
  return std::ranges::count(diagnostics, severity, &Diagnostic::severity);
}

std::string counted(std::ptrdiff_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string summary(const std::string& file, const std::vector<Diagnostic>& diagnostics) {
  const auto errors = count(diagnostics, Severity::error);
  const auto warnings = count(diagnostics, Severity::warning);
  return fmt::format("{}: {}{}\n", file, errors == 0 ? "valid" : counted(errors, "error"),
                     warnings == 0 ? "" : ", " + counted(warnings, "warning"));
}

void run(const Arguments& arguments) {
  auto all = Json::array();
  bool valid = true;
  for (const std::string& file : arguments.files) {
    const std::vector<Diagnostic> diagnostics = findings(file, arguments.full);
    const bool fine = count(diagnostics, Severity::error) == 0;
    valid = valid && fine;
    if (arguments.json)
      all.push_back({{"file", file}, {"valid", fine}, {"diagnostics", to_json(diagnostics)}});
    else
      print(format(diagnostics, {.color = wants_color(stdout)}) + summary(file, diagnostics));
  }
  if (arguments.json) print_json(all);
  if (!valid) throw Exit(kInputAtFault);
}

}  // namespace check_command

void add_check(Command app) {
  using namespace check_command;
  const Command command =
      app.add_subcommand("check", "Check whether ONNX models are valid, and list all faults");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("FILE", arguments->files, "The models to check").required().type_name("...");
  command.add_flag("--full", arguments->full, "Infer types and shapes, and report contradictions");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
