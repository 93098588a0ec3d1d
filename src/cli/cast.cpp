#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/core.h>
#include "base/style.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace cast_command {

struct Arguments {
  std::string model, output;
  CastOptions options;
  std::vector<std::string> from;
  bool json = false;
};

constexpr const char* kExamples =
    R"(PATTERN is compared with the operator of a node, its name, its module and the modules around it; * stands
for any characters, and ? for one.

Examples:
  cameo cast m.onnx -o half.onnx                      weights and computation in f16
  cameo cast m.onnx -o half.onnx --keep-io            inputs and outputs stay as they are
  cameo cast m.onnx -o half.onnx --keep Softmax --keep 'lm_head*'
  cameo cast half.onnx -o single.onnx --to f32        the other way)";

ElementType element_type(const std::string& name) {
  for (const ElementType type : {ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64})
    if (cameo::name(type) == name) return type;
  throw WrongUsage("--from: '" + name + "' is not one of f16, bf16, f32 and f64");
}

void run(Arguments& arguments) {
  arguments.output = output_path(arguments.output);
  for (const std::string& name : arguments.from) arguments.options.from.push_back(element_type(name));
  const Casted done = Model(arguments.model).cast(arguments.options);
  const SavedModel saved = done.model.save(arguments.output);
  std::fputs(format(done.warnings, {.color = wants_color(stderr)}).c_str(), stderr);
  const std::string_view type = name(arguments.options.to);
  if (arguments.json)
    return print_json({{"to", std::string(type)},
                       {"nodes", {{"converted", done.nodes}, {"total", done.total}}},
                       {"weights", done.weights},
                       {"casts", done.casts},
                       {"bytes", saved.bytes + saved.external_bytes}},
                      text_stream(arguments.output));
  print(
      fmt::format("{}: {} of {} nodes compute in {}, {}, {}\n", arguments.output, done.nodes, done.total,
                  type, plural(done.casts, "new Cast node"), bytes_text(saved.bytes + saved.external_bytes)),
      text_stream(arguments.output));
}

}  // namespace cast_command

void add_cast(Command app) {
  using namespace cast_command;
  const Command command =
      app.add_subcommand("cast", "Write an ONNX model that computes in another floating-point type");
  const auto arguments = std::make_shared<Arguments>();
  CastOptions& options = arguments->options;
  command.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  command.add_option("-o,--output", arguments->output, "The file to write").required().option_text("FILE");
  command.add_choice("--to", options.to,
                     {{"f16", ElementType::f16}, {"bf16", ElementType::bf16}, {"f32", ElementType::f32}},
                     "The new type. Default: f16");
  command.add_option("--from", arguments->from, "The types that are converted. Default: f16, bf16 and f32")
      .delimiter(',')
      .repeatable()
      .option_text("TYPE,...");
  command.add_flag("--keep-io", options.keep_io, "Inputs and outputs of the model keep their types");
  command.add_option("--keep", options.keep, "Nodes that match keep their types; repeatable")
      .repeatable()
      .option_text("PATTERN");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
