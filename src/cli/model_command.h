#pragma once
#include <string>

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
void add(CLI::App& app, const ModelCommand& command);

}  // namespace cameo::cli
