#pragma once
#include <string>
#include <vector>

namespace cameo::cli {

// The words that are valid in place of an unknown word.
struct Vocabulary {
  std::vector<std::string> commands;  // empty after a command
  std::vector<std::string> options;   // "--json"
};

// An error message that names the unknown word and the most similar valid word.
std::string unknown_word(const std::string& word, const Vocabulary& known);

}  // namespace cameo::cli
