#pragma once
#include <string>

#include "base/json.h"
#include "cameo/value_info.h"
#include "cli/command.h"

namespace cameo::cli {

struct ModelArguments {
  std::string model;
  bool json = false;
};

// A sub-command that prints facts about one ONNX model.
struct ModelCommand {
  const char *name, *doc, *examples;
  void (*run)(const ModelArguments& arguments);
};
void add(Command app, const ModelCommand& command);

// ["batch", "3"]; null if the rank is not known.
Json shape_json(const ValueInfo& value);

}  // namespace cameo::cli
