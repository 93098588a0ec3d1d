#include "cli/export_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/sheet.h"
#include "base/text.h"
#include "rewrite/log.h"

namespace cameo::cli {
namespace {

// A word, quoted for a shell if necessary.
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+:,@%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return printable(text + "'");
}

// The type of an input with its first size dynamic, as --input takes it; empty if there is no fixed first
// size.
std::string for_any_batch(ValueInfo input) {
  const bool fixed = input.kind == ValueInfo::Kind::tensor && input.shape && !input.shape->empty() &&
                     input.shape->front().size >= 0;
  if (!fixed) return {};
  input.shape->front() = "batch";
  std::string text = type_text(input);
  std::erase(text, ' ');
  return text;
}

class Page : private Sheet {
 public:
  Page(const ExportReport& report, const ExportOptions& asked, const ExportTextOptions& options)
      : Sheet({options.color, false}), report_(report), asked_(asked), options_(options) {}

  std::string draw() {
    line("{}  ONNX model, opset {}\n", style_(Ink::title, printable(options_.output)), report_.opset);
    summary();
    values("Inputs", report_.inputs);
    values("Outputs", report_.outputs);
    operators();
    rules();
    list("Rewrites", "the rules, and where they applied", rewrite::lines(report_.rewrites));
    timings();
    list("Assumptions", "the model is correct for inputs that fulfil these", report_.assumptions);
    list("Changed buffers", "the program changes these; the exported model does not",
         report_.changed_buffers);
    next();
    return std::move(out_);
  }

 private:
  void summary() {
    fact("size", bytes_text(report_.bytes));
    fact("parameters", grouped(report_.parameters));
    fact("time", fmt::format(fmt::runtime(report_.seconds < 10 ? "{:.2f} s" : "{:.0f} s"), report_.seconds));
    const auto warnings = std::ranges::count(report_.warnings, Severity::warning, &Diagnostic::severity);
    if (warnings > 0) fact("warnings", style_(Ink::warning, grouped(warnings)) + ", see above");
  }

  void rules() {
    if (report_.rules.empty()) return;
    line("\n{}  {}", style_(Ink::title, "Rules"),
         style_(Ink::faint, "simplifications, and how often they applied"));
    counted(report_.rules, options_.width);
  }

  void timings() {
    if (!options_.timings) return;
    line("\n{}", style_(Ink::title, "Timings"));
    for (const auto& [stage, seconds] : report_.timings) fact(stage, fmt::format("{:.3f} s", seconds));
  }

  void values(std::string_view title, const std::vector<ValueInfo>& values) {
    line("\n{}", style_(Ink::title, title));
    std::size_t width = 0;
    for (const ValueInfo& value : values) width = std::max(width, display_width(printable(value.name)));
    for (const ValueInfo& value : values) {
      line("  {}  {}", fill(printable(value.name), width), style_(Ink::type, printable(type_text(value))));
    }
    if (values.empty()) line("  {}", style_(Ink::faint, "none"));
  }

  void operators() {
    line("\n{}  {}", style_(Ink::title, "Operators"), plural(report_.nodes, "node"));
    counted(report_.operators, options_.width);
  }

  void list(std::string_view title, std::string_view meaning, const std::vector<std::string>& items) {
    if (items.empty()) return;
    line("\n{}  {}", style_(Ink::title, title), style_(Ink::faint, meaning));
    for (const std::string& item : items) line("  {}", printable(item));
  }

  void next() {
    const std::string model = quoted(options_.model);
    std::vector<std::pair<std::string, std::string_view>> commands;
    if (asked_.inputs.empty() && asked_.dynamic_axes.empty() && report_.inputs.size() == 1) {
      const std::string spec = for_any_batch(report_.inputs.front());
      if (!spec.empty())
        commands.emplace_back(fmt::format("cameo export {} --input '{}'", model, spec), "for any batch size");
    }
    const bool loops =
        std::ranges::any_of(report_.operators, [](const auto& each) { return each.first == "Loop"; });
    if (loops && asked_.unroll_loops == 0 && !asked_.static_shapes)
      commands.emplace_back(fmt::format("cameo export {} --unroll-loops", model),
                            "unroll loops with a known trip count");
    commands.emplace_back(fmt::format("cameo inspect {} --code", model), "the program that was exported");
    line("\n{}", style_(Ink::title, "Next"));
    std::size_t width = 0;
    for (const auto& [command, purpose] : commands) width = std::max(width, display_width(command));
    for (const auto& [command, purpose] : commands)
      line("  {}  {}", fill(command, width), style_(Ink::faint, purpose));
  }

  const ExportReport& report_;
  const ExportOptions& asked_;
  const ExportTextOptions& options_;
};

}  // namespace

std::string export_text(const ExportReport& report, const ExportOptions& asked,
                        const ExportTextOptions& options) {
  return Page(report, asked, options).draw();
}

}  // namespace cameo::cli
