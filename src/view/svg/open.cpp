#include "view/svg/open.h"

#include <fmt/core.h>

#include "base/index.h"
#include "base/nearest.h"
#include "cameo/diagnostic.h"
#include "view/svg/svg.h"

namespace cameo::view {

std::vector<bool> open_groups(const Document& document, int group, int depth) {
  const Groups& groups = document.groups;
  std::vector<bool> open(groups.parent.size());
  std::vector<int> level(groups.parent.size(), -1);
  element_at(level, group) = 0;
  for (std::size_t i = static_cast<std::size_t>(group) + 1; i < open.size(); ++i) {
    const int above = element_at(level, groups.parent[i]);
    if (above < 0) continue;
    level[i] = groups.kind[i] == GroupKind::body ? above : above + 1;
    open[i] = level[i] <= depth;
  }
  return open;
}

int find_group(const Document& document, const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < document.groups.path.size(); ++i) {
    const std::string_view each = document.strings[document.groups.path[i]];
    const GroupKind kind = document.groups.kind[i];
    if (kind != GroupKind::module && kind != GroupKind::scope) continue;
    if (each == path) return static_cast<int>(i);
    known.emplace_back(each);
  }
  const std::string meant = nearest(path, known);
  throw Error(
      Diagnostic{.code = Code::no_such_name,
                 .message = fmt::format("the model has no module or scope '{}' with several nodes", path),
                 .file = document.title,
                 .hint = meant.empty() ? "cameo view -o FILE.json lists the groups"
                                       : fmt::format("did you mean '{}'?", meant)});
}

}  // namespace cameo::view
