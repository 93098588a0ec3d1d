#include "cameo/inspect.h"

#include <filesystem>
#include <memory>

#include "cli/browser.h"
#include "cli/command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace inspect_command {

struct Arguments {
  std::string file;
  std::string code, report;
  inspect::TextOptions options;
  bool json = false;
  int depth = 0;
};

constexpr const char* kExamples = R"(Examples:
  cameo inspect model.pt                       summarise the file
  cameo inspect model.pt --depth 2             show two levels of the module tree
  cameo inspect model.pt --code                show the source of forward beside its Python lines
  cameo inspect model.pt --code layer1.0       show the source of the class of one module
  cameo inspect model.pt --json | jq .weights  print JSON)";

void run(Command command, Arguments& arguments) {
  const bool code = command.given("--code");
  // `--code model.pt`: the name of the file was parsed as the name to show.
  if (arguments.file.empty()) std::swap(arguments.file, arguments.code);
  if (arguments.file.empty()) throw WrongUsage("FILE is required");
  inspect::TextOptions& options = arguments.options;
  options.color = wants_color(stdout);
  options.lines = is_terminal(stdout) && speaks_utf8();
  options.width = columns();
  if (command.given("--depth")) options.depth = arguments.depth;
  if (!arguments.report.empty()) write_page(arguments.report, {arguments.file}, {});
  const auto draw = [&](const auto& found) {
    print(arguments.json ? to_json(found) : to_text(found, options));
  };
  if (code)
    draw(inspect::source(arguments.file, arguments.code));
  else
    draw(inspect::program(arguments.file));
}

}  // namespace inspect_command

void add_inspect(Command app) {
  using namespace inspect_command;
  const Command command =
      app.add_subcommand("inspect", "Show the contents of a file: entry points, modules, weights, operators");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("FILE", arguments->file, "The file to inspect").type_name("");
  command
      .add_option("--code", arguments->code,
                  "Show the TorchScript source beside its Python lines: of the\n"
                  "entry point, or of NAME, which is the path of a module, a\n"
                  "method, a class, a function or a code file")
      .optional_value()
      .type_name("[NAME]");
  command.add_option("--depth", arguments->depth, "Number of levels of the module tree to show")
      .check([](const std::string& text) {
        const bool number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
        return number ? "" : "'" + text + "' is not a valid number of levels";
      })
      .type_name("N");
  command.add_flag("--expand", arguments->options.expand, "Show each of several equal modules in a row");
  command.add_option("--report", arguments->report, "Also write a page (.html) as cameo view does").type_name("FILE");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([command, arguments] { run(command, *arguments); });
}

}  // namespace cameo::cli
