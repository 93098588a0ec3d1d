#pragma once
// The places where rules applied.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cameo/rewrite.h"
#include "rewrite/rules.h"

namespace cameo::rewrite {

// The rules and the places where they applied.
Json to_json(const std::vector<RewriteUse>& uses);
// The same as lines of a report: "clip-head  module 'head' (net.py:12)".
std::vector<std::string> lines(const std::vector<RewriteUse>& uses);

class Log {
 public:
  // A call that a rule could have named, for the hints of rules that never applied.
  void saw(Kind kind, std::string_view name) { seen_[kind].emplace(name); }
  void applied(const Rule& rule, std::string place);

  // One entry for each rule, in the order of the files.
  std::vector<RewriteUse> uses(const RuleSet& rules) const;
  // A warning for each rule that never applied, with the names that it may have meant.
  std::vector<Diagnostic> unused(const RuleSet& rules) const;

 private:
  std::map<Kind, std::set<std::string, std::less<>>> seen_;
  struct Places {
    std::vector<std::string> in_order;
    std::set<std::string> known;
  };
  std::map<const Rule*, Places> places_;
};

}  // namespace cameo::rewrite
