#include "rewrite/log.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/nearest.h"

namespace cameo::rewrite {
namespace {

constexpr std::size_t kMostNames = 8;

// A hint for a rule whose place matched nothing.
std::string hint(const Rule& rule, const std::vector<std::string>& names) {
  const Place& place = rule.place;
  if (std::ranges::any_of(names, [&](const std::string& each) { return place.pattern.matches(each); }))
    return fmt::format("'{}' occurs, but not where the other conditions of the rule hold",
                       place.pattern.text);
  if (const std::string near = nearest(place.pattern.text, names); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  if (names.empty()) return fmt::format("the model has no {} that a rule can name", name(place.kind));
  std::string some;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    some += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
  return fmt::format("the model has {}{}", some, names.size() > kMostNames ? ", …" : "");
}

}  // namespace

Json to_json(const std::vector<RewriteUse>& uses) {
  Json all = Json::array();
  for (const RewriteUse& use : uses)
    all.push_back({{"rule", use.rule}, {"file", use.file}, {"line", use.line}, {"places", use.places}});
  return all;
}

std::vector<std::string> lines(const std::vector<RewriteUse>& uses) {
  constexpr std::size_t kMostPlaces = 20;
  std::size_t width = 0;
  for (const RewriteUse& use : uses) width = std::max(width, use.rule.size());
  std::vector<std::string> out;
  for (const RewriteUse& use : uses) {
    if (use.places.empty()) out.push_back(fmt::format("{:<{}}  never applied", use.rule, width));
    for (std::size_t i = 0; i < std::min(use.places.size(), kMostPlaces); ++i)
      out.push_back(fmt::format("{:<{}}  {}", i == 0 ? use.rule : "", width, use.places[i]));
    if (use.places.size() > kMostPlaces)
      out.push_back(fmt::format("{:<{}}  and {} more places", "", width, use.places.size() - kMostPlaces));
  }
  return out;
}

void Log::applied(const Rule& rule, std::string place) {
  Places& places = places_[&rule];
  if (places.known.insert(place).second) places.in_order.push_back(std::move(place));
}

std::vector<RewriteUse> Log::uses(const RuleSet& rules) const {
  std::vector<RewriteUse> out;
  for (const Rule* rule : rules.rules()) {
    const auto found = places_.find(rule);
    out.push_back({std::string(rule->name), rule->file->name, rule->position().line,
                   found == places_.end() ? std::vector<std::string>() : found->second.in_order});
  }
  return out;
}

std::vector<Diagnostic> Log::unused(const RuleSet& rules) const {
  std::vector<Diagnostic> out;
  for (const Rule* rule : rules.rules()) {
    if (places_.contains(rule)) continue;
    std::vector<std::string> names;
    if (const auto seen = seen_.find(rule->place.kind); seen != seen_.end())
      names.assign(seen->second.begin(), seen->second.end());
    out.push_back({.severity = Severity::warning,
                   .code = Code::unused_rewrite,
                   .message = fmt::format("the rule '{}' never applied", rule->name),
                   .file = rule->file->name,
                   .script = rule->position(rule->place.pattern.range),
                   .hint = hint(*rule, names)});
  }
  return out;
}

}  // namespace cameo::rewrite
