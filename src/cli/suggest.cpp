#include "cli/suggest.h"

#include <filesystem>

#include "base/nearest.h"

namespace cameo::cli {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace

std::string unknown_word(const std::string& word, const Vocabulary& known) {
  if (word.starts_with("-")) {
    const std::string name = word.substr(0, word.find('='));
    return "there is no option " + name + did_you_mean(name, known.options);
  }
  if (known.commands.empty()) return "'" + word + "' is one argument too many";
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return "'" + word + "' is a file, not a command; did you mean cameo inspect " + word + "?";
  }
  return "there is no command '" + word + "'" + did_you_mean(word, known.commands);
}

}  // namespace cameo::cli
