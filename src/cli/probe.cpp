#include <algorithm>
#include <memory>

#include <fmt/core.h>
#include "base/text.h"
#include "cameo/format.h"
#include "cameo/session.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "runtime/feed.h"

namespace cameo::cli {
namespace probe_command {

struct Arguments {
  std::vector<std::string> models, shapes;
  bool errors = false;
};

constexpr const char* kExamples =
    R"(SHAPE is the shape of the first input, "2,3,10,10". Shapes of further inputs follow after ";".

Example:
  cameo probe static.onnx dynamic.onnx --shapes 1,3,10,10 2,3,10,10 1,3,20,20)";

// The inputs of "1,3;2": "rand[1,3]", "rand[2]".
std::vector<std::string> specs(std::string_view shapes) {
  std::vector<std::string> texts;
  while (true) {
    const std::size_t end = std::min(shapes.find(';'), shapes.size());
    texts.push_back(fmt::format("rand[{}]", shapes.substr(0, end)));
    if (end == shapes.size()) return texts;
    shapes.remove_prefix(end + 1);
  }
}

void run(const Arguments& arguments) {
  std::vector<Diagnostic> errors;
  for (const std::string& model : arguments.models) {
    for (std::size_t i = 0; i < arguments.shapes.size(); ++i) {
      bool fits = true;
      try {
        const Session session(model);
        session.run(
            runtime::make_feeds(session.inputs(), {.specs = specs(arguments.shapes[i]), .arrays = {}}));
      } catch (const SessionError& error) {
        fits = false;
        for (Diagnostic diagnostic : error.diagnostics()) {
          diagnostic.file = model;
          errors.push_back(std::move(diagnostic));
        }
      }
      print(fmt::format("Input[{}] on model {} {}.\n", i, printable(model), fits ? "succeed" : "error"));
    }
  }
  if (arguments.errors) print(format(errors, {.color = wants_color(stdout)}));
}

}  // namespace probe_command

void add_probe(Command app) {
  using namespace probe_command;
  const Command command = app.add_subcommand("probe", "Test which input shapes ONNX models accept");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->models, "The ONNX models").required().type_name("");
  command.add_option("--shapes", arguments->shapes, "The shapes to test, see below")
      .required()
      .option_text("SHAPE…");
  command.add_flag("--errors", arguments->errors, "Also print the error messages");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
