#include "cli/suggest.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/nearest.h"

namespace cameo::cli {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

// Parameters of torch.onnx.export whose options have other names.
struct TorchName {
  std::string_view parameter;
  const char* option;
};
constexpr TorchName kTorchNames[] = {
    {"--args", "--input"},
    {"--f", "--output"},
    {"--export-params", "--no-params"},
    {"--custom-opsets", "--custom-opset"},
    {"--do-constant-folding", "--no-constant-folding"},
    {"--dynamic-shapes", "--input"},
    {"--external-data-format", "--external-data"},
};

std::string unknown_option(const std::string& name, const std::vector<std::string>& options) {
  const auto* torch = std::ranges::find(kTorchNames, name, &TorchName::parameter);
  const bool known =
      torch != std::end(kTorchNames) && std::ranges::find(options, torch->option) != options.end();
  return "there is no option " + name +
         (known ? "; did you mean " + std::string(torch->option) + "?" : did_you_mean(name, options));
}

}  // namespace

std::string own_option(const std::string& word) {
  const std::size_t end = std::min(word.find('='), word.size());
  std::string name = word.substr(0, end);
  std::ranges::replace(name, '_', '-');
  if (name == "--opset-version") name = "--opset";
  return name + word.substr(end);
}

std::string unknown_word(const std::string& word, const Vocabulary& known) {
  if (word.starts_with("-")) {
    return unknown_option(word.substr(0, word.find('=')), known.options);
  }
  if (known.commands.empty()) return "'" + word + "' is one argument too many";
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return "'" + word + "' is a file, not a command; did you mean cameo inspect " + word + "?";
  }
  return "there is no command '" + word + "'" + did_you_mean(word, known.commands);
}

}  // namespace cameo::cli
