#include "inspect/outline.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace cameo::inspect {
namespace {

constexpr std::size_t kScreen = 45;    // rows
constexpr std::size_t kLevels = 8;     // that are shown without being asked for
constexpr std::size_t kDeepest = 200;  // levels that can be drawn

std::size_t mix(std::size_t hash, std::size_t value) {
  return hash ^ (value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U));
}

// One number for a module and all below it, its own name aside.
std::vector<std::size_t> signatures(const std::vector<Module>& modules) {
  std::vector<std::size_t> result(modules.size());
  for (std::size_t i = modules.size(); i-- > 0;) {
    const Module& module = modules[i];
    std::size_t hash = std::hash<std::string_view>{}(module.cls);
    for (const auto& amounts : {module.own.tensors, module.own.elements, module.own.bytes}) {
      for (const std::int64_t amount : amounts) hash = mix(hash, static_cast<std::size_t>(amount));
    }
    for (std::size_t child = i + 1; child < module.end; child = modules[child].end) {
      hash = mix(mix(hash, std::hash<std::string_view>{}(modules[child].name)), result[child]);
    }
    result[i] = hash;
  }
  return result;
}

// "layer_12" → "layer_"; nothing for a name without a number.
std::optional<std::string_view> stem(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  return end == name.size() ? std::nullopt : std::optional(name.substr(0, end));
}

class Drawing {
 public:
  Drawing(const std::vector<Module>& modules, bool expand)
      : modules_(modules),
        expand_(expand),
        signatures_(expand ? std::vector<std::size_t>() : signatures(modules)) {}

  Outline draw(std::size_t depth) const {
    Outline result{.depth = depth};
    if (modules_.empty()) return result;
    std::vector<Row> pending = {Row{}};
    while (!pending.empty()) {
      Row row = std::move(pending.back());
      pending.pop_back();
      if (row.last_child.size() == depth) {
        result.hidden += (modules_[row.module].end - row.module - 1) * row.count;
      } else {
        std::vector<Row> children = children_of(row);
        std::move(children.rbegin(), children.rend(), std::back_inserter(pending));
      }
      result.rows.push_back(std::move(row));
    }
    return result;
  }

 private:
  // The number of equal siblings from `first` on; `end` is that of their parent.
  std::size_t run(std::size_t first, std::size_t end) const {
    const auto numbered = stem(modules_[first].name);
    if (expand_ || !numbered || modules_[first].alias) return 1;
    std::size_t count = 1;
    for (std::size_t i = modules_[first].end; i < end; i = modules_[i].end) {
      if (signatures_[i] != signatures_[first] || stem(modules_[i].name) != numbered || modules_[i].alias)
        break;
      ++count;
    }
    const bool leaf = modules_[first].end == first + 1;
    return leaf && count < 3 ? 1 : count;
  }

  std::vector<Row> children_of(const Row& parent) const {
    std::vector<Row> rows;
    const std::size_t end = modules_[parent.module].end;
    for (std::size_t i = parent.module + 1; i < end;) {
      Row row{.module = i, .last = i, .count = run(i, end), .last_child = parent.last_child};
      for (std::size_t n = 1; n < row.count; ++n) row.last = modules_[row.last].end;
      i = modules_[row.last].end;
      row.last_child.push_back(i == end);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  const std::vector<Module>& modules_;
  bool expand_;
  std::vector<std::size_t> signatures_;
};

}  // namespace

Outline outline(const ModuleTree& tree, std::optional<int> depth, bool expand) {
  const Drawing drawing(tree.modules, expand);
  if (depth) return drawing.draw(std::min(static_cast<std::size_t>(std::max(*depth, 0)), kDeepest));
  Outline best = drawing.draw(1);
  while (best.hidden > 0 && best.depth < kLevels) {
    Outline deeper = drawing.draw(best.depth + 1);
    if (deeper.rows.size() > kScreen) break;
    best = std::move(deeper);
  }
  return best;
}

}  // namespace cameo::inspect
