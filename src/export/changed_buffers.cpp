#include "export/changed_buffers.h"

#include <fmt/core.h>

#include <set>

#include "eval/state/cell.h"

namespace cameo {
namespace {

bool changed(const eval::Cell& cell) {
  return cell.buffer.empty() ? !cell.tensor->constant() : cell.version != 0;
}

void collect(const eval::Object& object, const std::string& path, std::set<const eval::Object*>& visited,
             std::vector<std::string>& out) {
  if (!visited.insert(&object).second) return;
  for (const auto& [name, value] : object.attributes) {
    const std::string child = path.empty() ? name : fmt::format("{}.{}", path, name);
    if (const eval::CellPtr* cell = value.get_if<eval::CellPtr>()) {
      if (changed(**cell)) out.push_back(child);
    } else if (const eval::ObjectPtr* sub = value.get_if<eval::ObjectPtr>()) {
      collect(**sub, child, visited, out);
    }
  }
}

}  // namespace

std::vector<std::string> changed_buffers(const eval::Object& root) {
  std::vector<std::string> out;
  std::set<const eval::Object*> visited;
  collect(root, {}, visited, out);
  return out;
}

}  // namespace cameo
