#pragma once
#include <CLI/CLI.hpp>

#include "cameo/model.h"

namespace cameo::cli {

// The rules to choose from, and where the choice is stored.
struct RuleChoice {
  std::vector<SimplifyRule> rules;
  std::vector<std::string>& disabled;
  std::int64_t& stop_after;
  const char* list_option;
};

// --no-rule, --stop-after and the option that lists them.
void add_rule_options(CLI::App& command, const RuleChoice& choice);

// An option that takes names of rules.
CLI::Option* add_rule_names(CLI::App& command, const std::string& option, std::vector<std::string>& names,
                            const RuleChoice& choice, const std::string& doc);

}  // namespace cameo::cli
