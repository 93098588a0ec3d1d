#include <algorithm>
#include <deque>

#include <fmt/core.h>

#include "base/index.h"
#include "base/text.h"
#include "model/rewrite/keep.h"
#include "model/split/grouping.h"

namespace cameo::model {
namespace {

using Assign = std::vector<std::pair<std::string, std::string>>;

// "backbone.*" also selects the nodes of the module "backbone" itself.
class Pattern {
 public:
  explicit Pattern(const std::string& text) : kept_(forms(text)), text_(text) {}

  bool operator()(const onnx::proto::Node& node) {
    const bool matched = kept_(node);
    used_ = used_ || matched;
    return matched;
  }
  void require_match(const std::string& file) const {
    if (!used_) Kept({text_}).require_matches(file);
  }

 private:
  static std::vector<std::string> forms(const std::string& text) {
    std::vector<std::string> all{text};
    if (text.size() > 2 && text.ends_with(".*")) all.push_back(text.substr(0, text.size() - 2));
    return all;
  }

  Kept kept_;
  std::string text_;
  bool used_ = false;
};

// The index of the target of each node, among the targets in the order of their first pattern.
std::vector<std::size_t> targets_of(const SplitSource& source, const Assign& assign,
                                    std::vector<std::string>& targets) {
  std::vector<Pattern> patterns;
  std::vector<std::size_t> target;
  for (const auto& [name, pattern] : assign) {
    patterns.emplace_back(pattern);
    const auto known = std::ranges::find(targets, name);
    target.push_back(static_cast<std::size_t>(known - targets.begin()));
    if (known == targets.end()) targets.push_back(name);
  }
  std::vector<std::size_t> found;
  for (const onnx::proto::Node& node : source.graph.nodes) {
    const auto match = std::ranges::find_if(patterns, [&](Pattern& pattern) { return pattern(node); });
    if (match == patterns.end())
      throw Error(Diagnostic{.code = Code::bad_cut,
                             .message = fmt::format("no --assign matches the node '{}' ({})",
                                                    printable(node.name), printable(node.op_type)),
                             .file = source.file,
                             .hint = "assign all other nodes to a target: --assign 'cpu=*'"});
    found.push_back(element_at(target, match - patterns.begin()));
  }
  for (const Pattern& pattern : patterns) pattern.require_match(source.file);
  return found;
}

// Takes as many nodes of one target as can run, then those of the next one.
class Schedule {
 public:
  Schedule(const SplitSource& source, const std::vector<std::size_t>& target, std::size_t targets)
      : target_(target), ready_(targets), missing_(target.size()), readers_(target.size()) {
    for (std::size_t i = 0; i < target.size(); ++i)
      for (const std::string_view value : source.links.reads[i])
        if (const auto maker = source.links.maker.find(value); maker != source.links.maker.end()) {
          readers_[maker->second].push_back(i);
          ++missing_[i];
        }
  }

  // The targets of the parts, in their order; `part_of` gets the part of each node.
  std::vector<std::size_t> run(std::size_t first, std::vector<std::size_t>& part_of) {
    std::vector<std::size_t> parts;
    part_of.assign(target_.size(), 0);
    for (std::size_t i = 0; i < target_.size(); ++i)
      if (missing_[i] == 0) ready_[target_[i]].push_back(i);
    for (std::size_t target = first, idle = 0; idle < ready_.size(); target = (target + 1) % ready_.size()) {
      idle = ready_[target].empty() ? idle + 1 : 0;
      if (ready_[target].empty()) continue;
      take(target, parts.size(), part_of);
      parts.push_back(target);
    }
    return parts;
  }

 private:
  void take(std::size_t target, std::size_t part, std::vector<std::size_t>& part_of) {
    std::deque<std::size_t>& queue = ready_[target];
    for (; !queue.empty(); queue.pop_front()) {
      part_of[queue.front()] = part;
      for (const std::size_t reader : readers_[queue.front()])
        if (--missing_[reader] == 0) ready_[target_[reader]].push_back(reader);
    }
  }

  const std::vector<std::size_t>& target_;
  std::vector<std::deque<std::size_t>> ready_;  // by target
  std::vector<std::size_t> missing_;            // by node: values that are not computed yet
  std::vector<std::vector<std::size_t>> readers_;
};

}  // namespace

Grouping group_by_targets(const SplitSource& source, const Assign& assign) {
  std::vector<std::string> targets;
  const std::vector<std::size_t> target = targets_of(source, assign, targets);
  std::vector<std::size_t> best, part_of;
  Grouping grouping;
  for (std::size_t first = 0; first < targets.size(); ++first) {
    const std::vector<std::size_t> parts = Schedule(source, target, targets.size()).run(first, part_of);
    if (!best.empty() && parts.size() >= best.size()) continue;
    best = parts;
    grouping.part_of = part_of;
  }
  for (const std::size_t part : best)
    grouping.parts.push_back({.name = targets[part], .target = targets[part]});
  return grouping;
}

}  // namespace cameo::model
