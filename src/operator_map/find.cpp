#include "operator_map/find.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/core.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "eval/builtins/builtins.h"
#include "operator_map/python_names.h"

namespace cameo::operator_map {
namespace {

constexpr std::size_t kMaxSuggestions = 4;

std::set<std::string> known_names() {
  std::set<std::string> names;
  for (const aten::Op* op : aten::Registry::builtin().all()) names.emplace(op->schema.name);
  for (auto family : {eval::number_builtins(), eval::string_builtins(), eval::list_builtins(),
                      eval::dict_builtins(), eval::tensor_builtins(), eval::misc_builtins()})
    for (const eval::NamedBuiltin& builtin : family) names.emplace(builtin.name);
  return names;
}

std::string_view short_name(std::string_view full) {
  const std::size_t colons = full.rfind("::");
  return colons == full.npos ? full : full.substr(colons + 2);
}

struct Asked {
  std::string space, name, overload;  // the first and the last may be empty
};

Asked parse(std::string_view text) {
  Asked asked;
  for (std::string_view separator : {"::", "."}) {
    const std::size_t at = text.find(separator);
    if (at == text.npos) continue;
    const std::string_view head = text.substr(0, at);
    if (separator == "." && head != "aten" && head != "prim") continue;
    asked.space = head;
    text.remove_prefix(at + separator.size());
    break;
  }
  const std::size_t dot = text.find('.');
  asked.name = text.substr(0, dot);
  if (dot != text.npos) asked.overload = text.substr(dot + 1);
  return asked;
}

[[noreturn]] void unknown(std::string_view text, const Asked& asked, const std::set<std::string>& names) {
  Diagnostic d{.code = Code::no_such_operator};
  d.message = fmt::format("Cameo knows no operator '{}'", printable(text));
  std::vector<std::string> shorts, alike;
  for (const std::string& name : names) {
    shorts.emplace_back(short_name(name));
    if (asked.name.size() > 2 && shorts.back().find(asked.name) != std::string::npos) alike.push_back(name);
  }
  if (alike.size() > kMaxSuggestions)
    d.hint = fmt::format("{} names hold this word: cameo ops --grep {}", alike.size(), printable(asked.name));
  else if (!alike.empty())
    d.hint = fmt::format("did you mean {}?", join(alike, " or "));
  else if (const std::string meant = nearest(asked.name, shorts); !meant.empty())
    d.hint = fmt::format("did you mean {}?", meant);
  throw Error(std::move(d));
}

[[noreturn]] void unknown_overload(const Found& found, const std::string& overload) {
  Diagnostic d{.code = Code::no_such_operator};
  d.message = fmt::format("{} has no overload '{}'", found.name, printable(overload));
  std::vector<std::string> titles;
  for (const Operator& op : found.operators) titles.push_back(op.title());
  if (!titles.empty()) d.hint = fmt::format("there is {}", join(titles, ", "));
  throw Error(std::move(d));
}

// Of operators with one name in several namespaces, keeps those that have the overload. Throws Error if none has.
void keep_overload(std::vector<Found>& all, const std::string& overload) {
  if (overload.empty()) return;
  std::vector<Found> kept;
  for (const Found& found : all) {
    Found one = found;
    std::erase_if(one.operators, [&](const Operator& op) { return op.schema().overload != overload; });
    if (!one.operators.empty()) kept.push_back(std::move(one));
  }
  if (kept.empty()) unknown_overload(all.front(), overload);
  all = std::move(kept);
}

}  // namespace

Found look_up(const std::string& full_name, const OpsOptions& options) {
  const aten::Registry& registry = aten::Registry::builtin();
  Found found{full_name, {}};
  std::span<const aten::Op* const> overloads = registry.find(full_name);
  if (overloads.empty()) {
    overloads = registry.find_in_place(full_name);
    found.in_place = !overloads.empty();
  }
  for (const aten::Op* op : overloads) found.operators.emplace_back(*op, options);
  found.of_language = eval::is_builtin(full_name);
  return found;
}

namespace {

// `text` is the name as the user wrote it, and `name` that of one operator behind it.
std::vector<Found> find_one(std::string_view text, std::string_view name, const std::set<std::string>& names,
                            const OpsOptions& options) {
  const Asked asked = parse(name);
  std::set<std::string> spaces;
  if (asked.space.empty())
    for (const std::string& known : names) spaces.insert(known.substr(0, known.find("::")));
  else
    spaces.insert(asked.space);
  std::vector<Found> all;
  for (const std::string& space : spaces) {
    Found found = look_up(space + "::" + asked.name, options);
    if (found.operators.empty() && !found.of_language) continue;
    all.push_back(std::move(found));
  }
  if (all.empty()) unknown(text, asked, names);
  // Operators on quantised tensors repeat names of aten: they are found by their namespace.
  const auto quantized = [](const Found& found) { return found.name.starts_with("quantized::"); };
  if (asked.space.empty() && !std::ranges::all_of(all, quantized)) std::erase_if(all, quantized);
  keep_overload(all, asked.overload);
  return all;
}

}  // namespace

std::vector<Found> find(std::string_view text, const OpsOptions& options) {
  const std::set<std::string> names = known_names();
  std::set<std::string> shorts;
  for (const std::string& name : names) shorts.emplace(short_name(name));
  std::vector<Found> all;
  for (const std::string& name : operators_behind(text, shorts))
    std::ranges::move(find_one(text, name, names, options), std::back_inserter(all));
  return all;
}

}  // namespace cameo::operator_map
