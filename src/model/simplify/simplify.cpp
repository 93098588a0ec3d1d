#include <algorithm>
#include <unordered_set>

#include "cameo/model.h"
#include "model/simplify/count.h"
#include "model/simplify/explain.h"
#include "model/simplify/fix_inputs.h"
#include "model/simplify/lower.h"
#include "model/simplify/naming.h"
#include "model/simplify/rebuild.h"
#include "onnx/graph/finish.h"
#include "onnx/graph/visit.h"
#include "rules/rules.h"

namespace cameo {
namespace {

using Applied = std::vector<std::pair<std::string, std::int64_t>>;

// A round can use the results of the one before; the last round finds nothing.
constexpr int kMostRounds = 8;
// The first opset whose operators are what the rules take them for.
constexpr std::int64_t kFirstForRules = 7;

// Those of src/rules; nothing if none of them is wanted.
std::optional<rules::Options> rule_options(const SimplifyOptions& options, std::int64_t left) {
  const auto among_rules = [](const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names)
      if (std::ranges::find(rules::all_rules(), name, &rules::Rule::name) != rules::all_rules().end())
        found.push_back(name);
    return found;
  };
  rules::Options result{.disabled = among_rules(options.disabled),
                        .also = among_rules(options.also),
                        .only = among_rules(options.only),
                        .stop_after = left};
  if (left == 0 || (!options.only.empty() && result.only.empty())) return std::nullopt;
  return result;
}

void add(Applied& all, const Applied& more) {
  for (const auto& [name, times] : more) {
    const auto found = std::ranges::find(all, name, &Applied::value_type::first);
    if (found == all.end())
      all.emplace_back(name, times);
    else
      found->second += times;
  }
}

std::int64_t nodes_in(const onnx::Graph& graph) {
  std::int64_t total = 0;
  onnx::each_node(graph, [&](const onnx::Node&) { ++total; });
  return total;
}

void prune(onnx::Model& model, model::Steps& steps) {
  if (!steps.may(model::Step::remove_dead)) return;
  const std::int64_t before = nodes_in(model.main());
  onnx::prune(model);
  if (const std::int64_t gone = before - nodes_in(model.main()); gone > 0)
    steps.took(model::Step::remove_dead, gone);
}

// By the names that the results have in the file.
void record(const model::Rebuilt& rebuilt, const onnx::Node& node, const rules::Rule& rule,
            std::map<std::string, std::string, std::less<>>& rules) {
  const auto source = rebuilt.nodes.find(&node);
  if (source == rebuilt.nodes.end()) return;
  for (const std::string_view output : source->second.node->outputs)
    if (!output.empty()) rules.insert_or_assign(std::string(output), std::string(rule.name));
}

void round(model::Opened& opened, onnx::proto::Texts& texts, model::Steps& steps,
           const SimplifyOptions& options, model::Rewriting* rewriting, Applied& applied,
           model::Explainer& explainer, Simplified& report) {
  model::Rebuilt rebuilt;
  model::Rebuild rebuild(opened, steps, options, rewriting, rebuilt);
  rebuild.run();
  for (const auto& [result, step] : rebuilt.replaced) report.rules.insert_or_assign(result, std::string(step));
  prune(rebuilt.model, steps);
  auto rules = rule_options(options, steps.left());
  if (rules && opened.opset() >= kFirstForRules) {
    explainer.begin(rebuilt);
    rules->watch = [&](const onnx::Node& node, const rules::Rule& rule, std::string_view reason) {
      explainer.record(rebuilt, node, rule, reason);
      if (reason.empty()) record(rebuilt, node, rule, report.rules);
    };
    const Applied by_rules = rules::simplify(rebuilt.model, *rules);
    for (const auto& [name, times] : by_rules) steps.spend(times);
    add(applied, by_rules);
    prune(rebuilt.model, steps);
  }
  for (std::string& assumption : rebuilt.assumptions)
    if (std::ranges::find(report.assumptions, assumption) == report.assumptions.end())
      report.assumptions.push_back(std::move(assumption));
  model::assign_names(rebuilt);
  model::lower(rebuilt, opened, texts, options);
}

std::vector<OperatorChange> changes(const model::Counts& before, const model::Counts& after) {
  model::Counts names = before;
  names.insert(after.begin(), after.end());
  std::vector<OperatorChange> all;
  for (const auto& [op, count] : names)
    all.push_back({op, before.contains(op) ? before.at(op) : 0, after.contains(op) ? after.at(op) : 0});
  return all;
}

std::int64_t nodes_after(const std::vector<OperatorChange>& operators) {
  std::int64_t total = 0;
  for (const OperatorChange& each : operators) total += each.after;
  return total;
}

bool has_overridable_inputs(const model::Opened& opened) {
  if (opened.all_initializers_are_inputs()) return false;
  std::unordered_set<std::string_view> inputs;
  for (const onnx::proto::ValueInfo& input : opened.graph().inputs) inputs.insert(input.name);
  return std::ranges::any_of(opened.graph().initializers,
                             [&](const onnx::proto::Tensor& tensor) { return inputs.contains(tensor.name); });
}

}  // namespace

std::vector<SimplifyRule> simplify_rules() {
  std::vector<SimplifyRule> all;
  for (const model::StepInfo& step : model::step_infos())
    all.push_back({std::string(step.name), std::string(step.doc), false});
  for (const rules::Rule& rule : rules::all_rules())
    all.push_back({std::string(rule.name), std::string(rule.doc), rule.on_request});
  return all;
}

Simplified Model::simplify(const SimplifyOptions& options) const {
  std::vector<std::string> known;
  for (const SimplifyRule& rule : simplify_rules()) known.push_back(rule.name);
  for (const auto* names : {&options.only, &options.also, &options.disabled})
    rules::check_names(*names, known);
  std::vector<Diagnostic> warnings;
  const std::shared_ptr<model::Opened> opened = sorted_copy(warnings);
  model::refuse_training(*opened);
  model::fix_inputs(*opened, options);
  model::Explainer explainer(*opened, options.explain);
  const auto texts = std::make_shared<onnx::proto::Texts>();
  model::Steps steps(options);
  Applied by_rules;
  Simplified report{.model = Model(opened)};
  const model::Counts before = model::count_operators(opened->graph());
  model::Counts last = before, now;
  model::Rewriting rewriting(*opened, options, *texts);
  rewriting.mark_places();
  for (int i = 0; i < kMostRounds; ++i) {
    round(*opened, *texts, steps, options, i == 0 ? &rewriting : nullptr, by_rules, explainer, report);
    if (i == 0) rewriting.import_domains();
    now = model::count_operators(opened->graph());
    if (now == last || steps.left() == 0) break;
    last = now;
  }
  Applied applied = steps.taken();
  add(applied, by_rules);
  opened->kept.push_back(texts);
  std::vector<OperatorChange> operators = changes(before, now);
  std::vector<RewriteUse> rewrites;
  std::ranges::move(rewriting.warnings(), std::back_inserter(warnings));
  if (options.rewrites) {
    rewrites = rewriting.log().uses(options.rewrites->rules());
    std::ranges::move(rewriting.log().unused(options.rewrites->rules()), std::back_inserter(warnings));
  }
  std::optional<std::int64_t> with_folded_inputs;
  if (!options.fold_inputs && options.stop_after < 0 && has_overridable_inputs(*state_)) {
    SimplifyOptions folding = options;
    folding.fold_inputs = true;
    folding.explain.clear();
    const std::int64_t fewer = nodes_after(simplify(folding).operators);
    if (fewer < nodes_after(operators)) with_folded_inputs = fewer;
  }
  report.operators = std::move(operators);
  report.applied = std::move(applied);
  report.explained = explainer.take();
  report.warnings = std::move(warnings);
  report.rewrites = std::move(rewrites);
  report.with_folded_inputs = with_folded_inputs;
  return report;
}

}  // namespace cameo
