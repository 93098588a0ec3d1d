#include "cli/rule_options.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/command.h"

namespace cameo::cli {
namespace {

constexpr const char* kRuleGroup = "Simplification";

std::string no_rule(const std::string& name, const std::vector<SimplifyRule>& rules,
                    const char* list_option) {
  std::vector<std::string> known;
  for (const SimplifyRule& rule : rules) known.push_back(rule.name);
  if (std::ranges::find(known, name) != known.end()) return {};
  const std::string meant = nearest(name, known);
  return "there is no rule '" + printable(name) + "'" +
         (meant.empty() ? fmt::format("; {} lists them", list_option) : ", did you mean '" + meant + "'?");
}

[[noreturn]] void list(const std::vector<SimplifyRule>& rules) {
  std::string text;
  for (const SimplifyRule& rule : rules)
    text += fmt::format("{:<23} {}{}\n", rule.name, rule.doc, rule.on_request ? " Only on request." : "");
  throw Exit(kFine, text);
}

}  // namespace

Option add_rule_names(Command command, const char* option, std::vector<std::string>& names,
                      const RuleChoice& choice, const char* doc) {
  return command.add_option(option, names, doc)
      .repeatable()
      .check([rules = choice.rules, list_option = choice.list_option](const std::string& name) {
        return no_rule(name, rules, list_option);
      })
      .option_text("NAME")
      .group(kRuleGroup);
}

void add_rule_options(Command command, const RuleChoice& choice) {
  add_rule_names(command, "--no-rule", choice.disabled, choice, "Disable a simplification; repeatable");
  command
      .add_option("--stop-after", choice.stop_after, "Apply at most N simplifications, to find a faulty one")
      .non_negative()
      .option_text("N")
      .group(kRuleGroup);
  command
      .add_flag(
          choice.list_option, [rules = choice.rules] { list(rules); }, "List the simplifications and exit")
      .group(kRuleGroup);
}

}  // namespace cameo::cli
