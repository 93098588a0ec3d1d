#include "eval/state/findings.h"

#include <fmt/core.h>

#include <algorithm>

namespace cameo::eval {

void Findings::add(Diagnostic d) {
  std::string key = fmt::format("{}\n{}\n", name(d.code), d.message);
  if (!d.python.empty())
    key += fmt::format("{}:{}", d.python[0].file, d.python[0].line);
  else if (d.script)
    key += fmt::format("{}:{}", d.script->file, d.script->line);
  if (is_new(std::move(key))) diagnostics.push_back(std::move(d));
}

void Findings::assume(std::string assumption) {
  if (is_new(assumption)) assumptions.push_back(std::move(assumption));
}

bool Findings::is_new(std::string key) {
  const auto [place, inserted] = seen_.insert(std::move(key));
  if (inserted) keys_.push_back(place);
  return inserted;
}

void Findings::rewind(const Mark& mark) {
  diagnostics.resize(mark.diagnostics);
  assumptions.resize(mark.assumptions);
  // cppcheck-suppress mismatchingContainerIterator ; keys_ holds iterators of seen_
  for (; keys_.size() > mark.keys; keys_.pop_back()) seen_.erase(keys_.back());
}

bool Findings::failed_since(const Mark& mark) const {
  return std::ranges::any_of(std::span(diagnostics).subspan(mark.diagnostics),
                             [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace cameo::eval
