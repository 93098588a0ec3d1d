#include "rewrite/select.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

namespace cameo::rewrite {
namespace {

std::size_t exactness(const Pattern& pattern) {
  return pattern.exact() ? std::numeric_limits<std::size_t>::max() : pattern.literals() + 1;
}

// A path names one module, a class several.
std::size_t rank(Kind kind) { return kind == Kind::module ? 1 : 0; }

// A rule is more specific than another one if no number is smaller and one is larger.
std::array<std::size_t, 6> specificity(const Rule& rule) {
  std::size_t module = 0, cls = 0, file = 0;
  for (const Scope& scope : rule.scopes) {
    std::size_t& of = scope.file ? file : scope.kind == Kind::module ? module : cls;
    const std::size_t exact = exactness(scope.pattern);
    of = std::max(of, scope.first_line > 0 || !scope.file ? exact : exact / 2);
  }
  return {exactness(rule.place.pattern), rank(rule.place.kind), module, cls, file, rule.conditions.size()};
}

bool beats(const Rule& a, const Rule& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  const auto of_a = specificity(a), of_b = specificity(b);
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (of_a[i] < of_b[i]) return false;
  return of_a != of_b;
}

}  // namespace

const Rule* most_specific(std::span<const Rule* const> matching, std::string_view what) {
  if (matching.empty()) return nullptr;
  const Rule* best = matching.front();
  for (const Rule* rule : matching.subspan(1))
    if (beats(*rule, *best)) best = rule;
  for (const Rule* rule : matching) {
    if (rule == best || beats(*best, *rule)) continue;
    const Position other = rule->position();
    throw Error(Diagnostic{
        .code = Code::ambiguous_rewrite,
        .message = fmt::format("the rules '{}' and '{}' both match {}, and neither is more specific",
                               best->name, rule->name, what),
        .file = best->file->name,
        .script = best->position(),
        .notes = {fmt::format("'{}' is in {}:{}", rule->name, other.file, other.line)},
        .hint = "give one of them a higher priority: priority 1"});
  }
  return best;
}

}  // namespace cameo::rewrite
