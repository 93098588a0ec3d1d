#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "model/diff/compare.h"
#include "model/graph/describe.h"

namespace cameo::model {
namespace {

using onnx::proto::ValueInfo;
using Arguments = std::vector<ValueInfo>;
using Kind = Findings::Kind;

const ValueInfo* find(const Arguments& values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &ValueInfo::name);
  return found == values.end() ? nullptr : &*found;
}

std::string types(const ValueInfo& value) { return printable(type_text(value)); }

// The names that both have, in the order of the first.
std::string common(const Arguments& values, const Arguments& others) {
  std::string text;
  for (const ValueInfo& value : values)
    if (find(others, value.name))
      text += fmt::format("{}{}", text.empty() ? "" : ", ", printable(value.name));
  return text;
}

}  // namespace

void compare_interface(Findings& findings, const char* what, const Arguments& a, const Arguments& b,
                       Renames& renames) {
  std::vector<bool> renamed(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string type = types(a[i]);
    if (const ValueInfo* other = find(b, a[i].name)) {
      if (type != types(*other))
        findings.add(Kind::changed, what, quoted(a[i].name), fmt::format("{} -> {}", type, types(*other)));
    } else if (i < b.size() && !find(a, b[i].name) && type == types(b[i])) {
      renamed[i] = true;
      renames.add(a[i].name, b[i].name);
      findings.add(Kind::renamed, what, quoted(a[i].name), quoted(b[i].name));
    } else {
      findings.add(Kind::removed, what, quoted(a[i].name), type);
    }
  }
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!renamed[i] && !find(a, b[i].name)) findings.add(Kind::added, what, quoted(b[i].name), types(b[i]));
  const std::string before = common(a, b), after = common(b, a);
  if (before != after) findings.add(Kind::changed, what, "order", fmt::format("{} -> {}", before, after));
}

}  // namespace cameo::model
