#pragma once
#include <string>
#include <vector>

namespace cameo::cli {

// What can be said at the place of a word that was not understood.
struct Vocabulary {
  std::vector<std::string> commands;  // empty once a command was chosen
  std::vector<std::string> options;   // "--json"
};

// Names the unknown word, and what was probably meant by it.
std::string unknown_word(const std::string& word, const Vocabulary& known);

}  // namespace cameo::cli
