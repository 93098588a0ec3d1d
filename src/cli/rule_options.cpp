#include "cli/rule_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest.h"
#include "base/text.h"
#include "rules/rules.h"

namespace cameo::cli {
namespace {

std::string no_rule(const std::string& name) {
  std::vector<std::string> known;
  for (const rules::Rule& rule : rules::all_rules()) known.emplace_back(rule.name);
  if (std::ranges::find(known, name) != known.end()) return {};
  const std::string meant = nearest(name, known);
  return "there is no rule '" + printable(name) + "'" +
         (meant.empty() ? "; --list-rules shows them" : ", did you mean '" + meant + "'?");
}

[[noreturn]] void list_rules() {
  std::string text;
  for (const rules::Rule& rule : rules::all_rules())
    text += fmt::format("{}{:<23} {}", text.empty() ? "" : "\n", rule.name, rule.doc);
  throw CLI::CallForVersion(text, 0);
}

}  // namespace

void add_rule_options(CLI::App& command, ExportOptions& options) {
  constexpr const char* kGroup = "Simplification";
  command.add_option("--no-rule", options.disabled_rules, "Leave out one of the simplifications; repeatable")
      ->allow_extra_args(false)
      ->check(no_rule)
      ->option_text("NAME")
      ->group(kGroup);
  command
      .add_option("--stop-after", options.stop_rules_after,
                  "Simplify at most N times, to find a rule at fault")
      ->check(CLI::NonNegativeNumber)
      ->option_text("N")
      ->group(kGroup);
  command.add_flag_callback("--list-rules", list_rules, "Show the simplifications and stop")->group(kGroup);
}

}  // namespace cameo::cli
