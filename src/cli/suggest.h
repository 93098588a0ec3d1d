#pragma once
#include <string>
#include <vector>

namespace cameo::cli {

// The words that are valid in place of an unknown word.
struct Vocabulary {
  std::vector<std::string> commands;  // empty after a command
  std::vector<std::string> options;   // "--json"
};

// An option as torch.onnx.export spells it ("--opset_version=17") in the spelling of the command ("--opset=17").
std::string own_option(const std::string& word);

// An error message that names the unknown word and the most similar valid word.
std::string unknown_word(const std::string& word, const Vocabulary& known);

}  // namespace cameo::cli
