#include <algorithm>
#include <memory>

#include <fmt/core.h>
#include "base/diagnostic_json.h"
#include "base/json.h"
#include "base/text.h"
#include "cameo/format.h"
#include "cameo/model.h"
#include "cli/model_command.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace infer_command {

struct Arguments {
  std::vector<std::string> models;
  InferOptions options;
  std::string output;
  bool json = false;
};

constexpr const char* kExamples = R"(Examples:
  cameo infer model.onnx                  print the types and shapes of all values
  cameo infer model.onnx -o typed.onnx    write them to a copy of the model
  cameo infer model.onnx --strict         treat contradictions as errors
  cameo infer model.onnx --json | jq .    print JSON)";

std::string table(const Inferred& inferred) {
  std::size_t width = 0;
  for (const InferredValue& each : inferred.values)
    width = std::max(width, printable(each.graph + each.value.name).size());
  std::string text;
  for (const InferredValue& each : inferred.values)
    text += fmt::format("{:<{}}  {}\n", printable(each.graph + each.value.name), width,
                        printable(type_text(each.value)));
  return text;
}

std::string summary(const std::string& file, const Inferred& inferred) {
  const auto known = std::ranges::count_if(inferred.values, [](const InferredValue& each) {
    return each.value.kind != ValueInfo::Kind::unknown && each.value.shape.has_value();
  });
  return fmt::format("{}: {} of {} values have a type and a shape\n", file, known, inferred.values.size());
}

Json json_of(const std::string& file, const Inferred& inferred) {
  auto values = Json::array();
  for (const InferredValue& each : inferred.values) {
    auto& entry = values.emplace_back(
        Json{{"name", each.value.name}, {"op", each.op}, {"type", type_text(each.value, false)}});
    entry["shape"] = shape_json(each.value);
    if (!each.graph.empty()) entry["graph"] = each.graph;
  }
  return {{"file", file}, {"values", values}, {"diagnostics", to_json(inferred.warnings)}};
}

void run(Arguments& arguments) {
  arguments.output = output_path(arguments.output);
  std::FILE* const to = text_stream(arguments.output);
  const bool several = arguments.models.size() > 1;
  if (several && !arguments.output.empty()) throw WrongUsage("-o takes one model");
  auto all = Json::array();
  for (const std::string& file : arguments.models) {
    const Inferred inferred = Model(file).infer(arguments.options);
    if (!arguments.output.empty()) inferred.model.save(arguments.output);
    if (arguments.json) {
      all.push_back(json_of(file, inferred));
      continue;
    }
    const std::string diagnostics = format(inferred.warnings, {.color = wants_color(stderr)});
    std::fputs(diagnostics.c_str(), stderr);
    print(arguments.output.empty() ? (several ? file + ":\n" : "") + table(inferred)
                                   : summary(arguments.output, inferred),
          to);
  }
  if (arguments.json) print_json(several ? all : all.front(), to);
}

}  // namespace infer_command

void add_infer(Command app) {
  using namespace infer_command;
  const Command command =
      app.add_subcommand("infer", "Infer the types and symbolic shapes of all values of ONNX models");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("MODEL", arguments->models, "The ONNX models").required().type_name("...");
  command.add_option("-o,--output", arguments->output, "Write a copy of the model with these types")
      .type_name("FILE");
  command.add_flag("--strict", arguments->options.strict, "Treat contradictions as errors");
  command.add_flag("--fold-inputs", arguments->options.fold_inputs,
                   "Inputs with a default value are constants");
  command.add_flag("--json", arguments->json, "Print JSON");
  command.footer(kExamples);
  command.callback([arguments] { run(*arguments); });
}

}  // namespace cameo::cli
