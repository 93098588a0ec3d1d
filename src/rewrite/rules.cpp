#include "rewrite/rules.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/wildcard.h"
#include "script/fault.h"

namespace cameo::rewrite {

std::size_t Pattern::literals() const {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c != '*' && c != '?'; }));
}

bool Pattern::matches(std::string_view name) const { return cameo::matches(text, name); }

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::op: return "operator";
    case Kind::module: return "module";
    case Kind::cls: return "class";
    case Kind::method: return "method";
    case Kind::function: return "function";
    case Kind::value: return "value";
  }
  throw InternalError("a kind of place without a name");
}

Position Rule::position(Range at) const { return script::position_of(file->name, file->text, at); }

void fail(const RuleFile& file, Range range, std::string message, std::string hint) {
  throw Error(Diagnostic{.code = Code::bad_rewrite,
                         .message = std::move(message),
                         .file = file.name,
                         .script = script::position_of(file.name, file.text, range),
                         .hint = std::move(hint)});
}

void RuleSet::add(std::unique_ptr<const RuleFile> file) {
  std::vector<const Rule*> known = rules();
  for (const Rule& rule : file->rules) {
    const auto same = std::ranges::find(known, rule.name, [](const Rule* each) { return each->name; });
    if (same != known.end()) {
      const Position other = (*same)->position();
      fail(*file, rule.range, fmt::format("two rules are named '{}'", rule.name),
           fmt::format("the other one is in {}:{}", other.file, other.line));
    }
    known.push_back(&rule);
  }
  files.push_back(std::move(file));
}

std::vector<const Rule*> RuleSet::rules() const {
  std::vector<const Rule*> out;
  for (const std::unique_ptr<const RuleFile>& file : files)
    for (const Rule& rule : file->rules) out.push_back(&rule);
  return out;
}

}  // namespace cameo::rewrite
