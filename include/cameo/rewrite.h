#pragma once
// Rewriting rules: what an export puts in place of calls of operators, modules and methods (docs/rewrites.md).
//
//   cameo::Rewrites rules;
//   rules.read("deploy.rules");
//   cameo::ExportOptions options;
//   options.rewrites = &rules;

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cameo {

namespace rewrite {
struct RuleSet;
}

class Rewrites {
 public:
  Rewrites();
  ~Rewrites();
  Rewrites(const Rewrites&) = delete;
  Rewrites& operator=(const Rewrites&) = delete;

  // Adds the rules of a file. Throws Error, and then adds none.
  void read(const std::string& path);
  // The same for rules in memory; `name` stands for the path in diagnostics.
  void parse(std::string name, std::string text);

  const rewrite::RuleSet& rules() const { return *rules_; }

 private:
  std::unique_ptr<rewrite::RuleSet> rules_;
};

// A rule after an export, and the places where it applied.
struct RewriteUse {
  std::string rule;
  std::string file;  // of the rule
  int line = 0;
  std::vector<std::string> places;  // each place of the program once; empty: the rule never applied
};

}  // namespace cameo
