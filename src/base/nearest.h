#pragma once
#include <span>
#include <string>
#include <string_view>

namespace cameo {

// The candidate that `word` was probably meant to be: fewest letters to insert, delete, replace or swap, at
// most a third of the word. Empty if none is that near. For "did you mean …?".
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace cameo
