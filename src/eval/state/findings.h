#pragma once
// Diagnostics and assumptions that an evaluation collects beside the graph.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "cameo/diagnostic.h"

namespace cameo::eval {

// A diagnostic is kept once per source line, an assumption once.
struct Findings {
  std::vector<Diagnostic> diagnostics;  // operators that are not supported, and warnings
  std::vector<std::string>
      assumptions;  // "h >= 3 (otherwise: input too small)", from branches that only raise

  Findings() = default;
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  void add(Diagnostic diagnostic);
  void assume(std::string assumption);

  struct Mark {
    std::size_t diagnostics, assumptions, keys;
  };
  Mark mark() const { return {diagnostics.size(), assumptions.size(), keys_.size()}; }
  // Drops everything that was added after the mark.
  void rewind(const Mark& mark);
  // Whether an error was added after the mark. Warnings do not count.
  bool failed_since(const Mark& mark) const;

 private:
  bool is_new(std::string key);
  std::set<std::string> seen_;  // one key per diagnostic and assumption
  std::vector<std::set<std::string>::const_iterator> keys_;
};

}  // namespace cameo::eval
