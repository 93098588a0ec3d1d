#include <fmt/core.h>
#include "base/json.h"
#include "base/text.h"
#include "cameo/model.h"
#include "cli/model_command.h"
#include "cli/terminal.h"

namespace cameo::cli {
namespace io_command {

constexpr const char* kExamples = R"(Examples:
  cameo io model.onnx          list the inputs and outputs
  cameo io model.onnx --json   print JSON)";

std::string text_of(std::string_view kind, const std::vector<ValueInfo>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text +=
        fmt::format("{} {}: '{}' {}\n", kind, i, printable(values[i].name), printable(type_text(values[i])));
  return text;
}

Json json_of(const std::vector<ValueInfo>& values) {
  auto list = Json::array();
  for (const ValueInfo& value : values)
    list.push_back({{"name", value.name}, {"type", type_text(value, false)}, {"shape", shape_json(value)}});
  return list;
}

void run(const ModelArguments& arguments) {
  const ModelIo io = Model(arguments.model).io();
  if (!arguments.json) return print(text_of("input", io.inputs) + text_of("output", io.outputs));
  print_json({{"inputs", json_of(io.inputs)}, {"outputs", json_of(io.outputs)}});
}

}  // namespace io_command

void add_io(Command app) {
  using namespace io_command;
  add(app, {.name = "io",
            .doc = "List the inputs and outputs of an ONNX model",
            .examples = kExamples,
            .run = run});
}

}  // namespace cameo::cli
