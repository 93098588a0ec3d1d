#include "export/changed_buffers.h"

#include <fmt/format.h>

#include <set>

#include "eval/cell.h"

namespace cameo {
namespace {

bool changed(const eval::Cell& cell, const std::string& path) {
  if (cell.buffer == path) return cell.version != 0;
  return !cell.tensor->constant();
}

void collect(const eval::Object& object, const std::string& path, std::set<const eval::Object*>& visited,
             std::vector<std::string>& out) {
  if (!visited.insert(&object).second) return;
  for (const auto& [name, value] : object.attributes) {
    const std::string child = path.empty() ? name : fmt::format("{}.{}", path, name);
    if (const eval::CellPtr* cell = value.get_if<eval::CellPtr>()) {
      if (changed(**cell, child)) out.push_back(child);
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
