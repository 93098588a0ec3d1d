#include "operator_map/text.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/sheet.h"
#include "base/text.h"
#include "onnx/graph/versions.h"
#include "operator_map/entry.h"
#include "operator_map/explain.h"

namespace cameo::operator_map {
namespace {

std::string opsets(const OperatorForm& form) {
  return form.first == form.last ? fmt::format("opset {}", form.first)
                                 : fmt::format("opset {}-{}", form.first, form.last);
}

// "Resize, from opset 11"; "no: …".
std::string summary(const std::vector<OperatorForm>& forms) {
  const auto first = std::ranges::find(forms, true, &OperatorForm::converts);
  if (first == forms.end()) return "no: " + forms.back().reason;
  return fmt::format("{}, from opset {}", node_list(forms.back().nodes), first->first);
}

class Page : private Sheet {
 public:
  Page(const OpsOptions& options, const OpsFormat& format)
      : Sheet({format.color, false}), options_(options), format_(format) {}

  std::string draw(const Found& found) {
    if (found.in_place)
      line("{} writes to its first argument what this gives:", style_(Ink::title, found.name));
    for (const Operator& op : found.operators) draw(op);
    if (found.operators.empty()) language(found);
    return std::move(out_);
  }

 private:
  void language(const Found& found) {
    line("{}", style_(Ink::title, found.name));
    fact("converts", "no node: numbers, lists, strings and sizes are evaluated when exporting");
  }

  void draw(const Operator& op) {
    const OperatorEntry entry = entry_of(op, options_);
    if (!out_.empty()) out_ += '\n';
    line("{}", style_(Ink::title, entry.schema));
    line("  {}", entry.doc);
    const Conversion now = op.convert(options_.opset.value_or(kMaxOpset));
    const int first = entry.first_opset();
    if (first == 0)
      fact("converts", "no: " + entry.fixed.back().reason);
    else
      fact("converts",
           fmt::format("{}, from opset {}",
                       outcome_of(now.outcome == Outcome::converts ? now : op.convert(kMaxOpset)), first));
    for (const OperatorForm& form : entry.fixed) forms(form, now);
    if (summary(entry.dynamic) != summary(entry.fixed)) fact("dynamic", summary(entry.dynamic));
    if (!entry.known.empty())
      fact("known", fmt::format("{} must be known at export time", join(entry.known, ", ")));
    std::string_view label = "but";
    for (const OperatorNote& note : entry.notes) {
      fact(label, fmt::format("{}: {}", note.argument, note.text));
      label = "";
    }
    fact("tried with", entry.sample);
    if (format_.explain && now.outcome == Outcome::converts) explain(op, now);
  }

  void forms(const OperatorForm& form, const Conversion& now) {
    if (options_.opset && (*options_.opset < form.first || *options_.opset > form.last)) return;
    const std::string label = options_.opset ? fmt::format("opset {}", *options_.opset) : opsets(form);
    if (!form.converts) return fact(label, "no: " + form.reason);
    const bool passes = form.nodes.empty() && options_.opset && !now.results.empty();
    fact(label, passes ? fmt::format("no node: {}", join(now.results, ", ")) : node_list(form.nodes));
  }

  void explain(const Operator& op, const Conversion& now) {
    const std::vector<Variant> variants = try_variants(op, options_.opset.value_or(kMaxOpset));
    for (std::size_t i = 0; i < now.nodes.size(); ++i) node(now, i, variants);
    line("\n  {}", style_(Ink::title, "Arguments"));
    const std::vector<Effect> all = effects(op, now, variants);
    std::size_t width = 0;
    for (const Effect& effect : all) width = std::max(width, effect.argument.size());
    for (const Effect& effect : all)
      line("    {:<{}}  {}", effect.argument, width,
           effect.where.empty() ? "no effect on the nodes" : join(effect.where, ", "));
  }

  void node(const Conversion& now, std::size_t index, const std::vector<Variant>& variants) {
    const EmittedNode& node = now.nodes[index];
    line("\n  {} = {}{}", join(node.outputs, ", "), style_(Ink::title, node.op),
         node.version > 0 ? fmt::format(", version {}", node.version) : "");
    std::size_t width = 0;
    for (const auto* slots : {&node.inputs, &node.attributes})
      for (const Slot& slot : *slots) width = std::max(width, slot.name.size());
    for (const auto* slots : {&node.inputs, &node.attributes}) {
      for (const Slot& slot : *slots) {
        const std::vector<std::string> by = decided_by(now, index, slot, variants);
        std::string value = slot.value.empty() ? "left out" : printable(slot.value);
        if (slot.standard) value += " (default)";
        if (!by.empty()) value += style_(Ink::faint, fmt::format("  by {}", join(by, ", ")));
        line("    {:<{}}  {}", slot.name, width, value);
      }
    }
    if (!node.body.empty()) {
      std::vector<std::string> inner;
      for (const EmittedNode& each : node.body) inner.push_back(each.op);
      line("    {:<{}}  {}", "body", width, node_list(inner));
    }
  }

  const OpsOptions& options_;
  const OpsFormat& format_;
};

}  // namespace

std::string to_text(const Found& found, const OpsOptions& options, const OpsFormat& format) {
  return Page(options, format).draw(found);
}

}  // namespace cameo::operator_map
