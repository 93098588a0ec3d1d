#include "cli/model_command.h"

#include <memory>

#include "base/json.h"

namespace cameo::cli {

void add(Command app, const ModelCommand& command) {
  const Command added = app.add_subcommand(command.name, command.doc);
  const auto arguments = std::make_shared<ModelArguments>();
  added.add_option("MODEL", arguments->model, "The ONNX model").required().type_name("");
  added.add_flag("--json", arguments->json, "Print JSON");
  added.footer(command.examples);
  added.callback([arguments, run = command.run] { run(*arguments); });
}

Json shape_json(const ValueInfo& value) {
  if (!value.shape) return nullptr;
  auto sizes = Json::array();
  for (const Dim& dim : *value.shape) sizes.push_back(to_string(dim));
  return sizes;
}

}  // namespace cameo::cli
