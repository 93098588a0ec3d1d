#pragma once
#include <string>
#include <vector>

#include "cameo/model.h"
#include "cli/options.h"

namespace cameo::cli {

// The rules to choose from, and where the choice is stored.
struct RuleChoice {
  std::vector<SimplifyRule> rules;
  std::vector<std::string>& disabled;
  std::int64_t& stop_after;
  const char* list_option;
};

// --no-rule, --stop-after and the option that lists them.
void add_rule_options(Command command, const RuleChoice& choice);

// An option that takes names of rules.
Option add_rule_names(Command command, const char* option, std::vector<std::string>& names,
                      const RuleChoice& choice, const char* doc);

}  // namespace cameo::cli
