#pragma once
// Compares the results of two models.

#include <optional>
#include <string>
#include <vector>

#include "cameo/session.h"

namespace cameo::runtime {

struct Difference {
  std::string output;
  // The largest distance of two elements, in parts of the largest element of the first model's output;
  // infinite where types, shapes or texts differ.
  double largest = 0;
};

struct Comparison {
  int runs = 0;                         // on so many different inputs
  std::vector<Difference> differences;  // one for each output of the first model, the largest of all runs
  double largest() const;
};

// Runs both on random inputs that fit the second, with different sizes where sizes are not fixed. Inputs that
// the first model refuses do not count. Throws Error if it refuses all of them, or the second one refuses any
// that the first one took.
Comparison compare(const std::string& first, const std::string& second, int runs);

// The distance of two results.
double distance(const Datum& a, const Datum& b);

}  // namespace cameo::runtime
