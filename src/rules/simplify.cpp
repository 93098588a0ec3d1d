#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cameo/diagnostic.h"
#include "rules/rules.h"

namespace cameo::rules {
namespace {

using onnx::Node;

bool wanted(const Rule& rule, const Options& options) {
  auto among = [&rule](const std::vector<std::string>& names) {
    return std::ranges::find(names, rule.name) != names.end();
  };
  if (among(options.disabled) || (rule.changes_weights && !options.change_weights)) return false;
  return options.only.empty() ? !rule.on_request || among(options.also) : among(options.only);
}

class Simplify {
 public:
  Simplify(onnx::Model& model, const Options& options)
      : patch_(model), watch_(options.watch), left_(options.stop_after), counts_(all_rules().size(), 0) {
    for (std::size_t i = 0; i < all_rules().size(); ++i) {
      const Rule& rule = all_rules()[i];
      if (!wanted(rule, options)) continue;
      for (std::string_view op : rule.operators) rules_[op].push_back(i);
    }
  }

  std::vector<std::pair<std::string, std::int64_t>> run() {
    for (Node* node : patch_.nodes()) enqueue(node);
    while (!work_.empty() && left_ != 0) {
      Node* node = work_.front();
      work_.pop_front();
      queued_.erase(node);
      visit(*node);
    }
    patch_.sweep();
    std::vector<std::pair<std::string, std::int64_t>> applied;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0) applied.emplace_back(all_rules()[i].name, counts_[i]);
    return applied;
  }

 private:
  void enqueue(Node* node) {
    if (queued_.insert(node).second) work_.push_back(node);
  }

  void visit(Node& node) {
    const auto rules = rules_.find(node.op);
    if (rules == rules_.end() || !node.domain.empty()) return;
    for (std::size_t i : rules->second) {
      if (patch_.removed(node)) return;
      const bool applied = all_rules()[i].apply(patch_, node);
      const std::string_view reason = patch_.take_reason();
      if (watch_) watch_(node, all_rules()[i], applied ? "" : reason);
      if (!applied) continue;
      ++counts_[i];
      if (left_ > 0) --left_;
      for (Node* touched : patch_.take_touched()) enqueue(touched);
      return;
    }
  }

  Patch patch_;
  decltype(Options::watch) watch_;
  std::int64_t left_;
  std::vector<std::int64_t> counts_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> rules_;  // by operator
  std::deque<Node*> work_;
  std::unordered_set<const Node*> queued_;
};

}  // namespace

void check_names(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string meant = nearest(name, known);
    throw Error(Diagnostic{.code = Code::unknown_rule,
                           .message = fmt::format("there is no rule '{}'", name),
                           .hint = meant.empty() ? fmt::format("the rules are {}", join(known, ", "))
                                                 : fmt::format("did you mean '{}'?", meant)});
  }
}

std::vector<std::pair<std::string, std::int64_t>> simplify(onnx::Model& model, const Options& options) {
  std::vector<std::string> known;
  for (const Rule& rule : all_rules()) known.emplace_back(rule.name);
  for (const auto* names : {&options.disabled, &options.also, &options.only}) check_names(*names, known);
  return Simplify(model, options).run();
}

}  // namespace cameo::rules
