#include <algorithm>

#include <fmt/core.h>

#include "base/index.h"
#include "base/sheet.h"
#include "base/text.h"
#include "cameo/inspect.h"
#include "inspect/module_text.h"
#include "inspect/modules.h"

namespace cameo::inspect {
namespace {

std::string kind_text(const Report& report) {
  std::string text = report.exported ? "torch.export program"
                     : report.mobile ? "TorchScript program for mobile"
                                     : "TorchScript program";
  if (report.origin == Origin::mixed) {
    text += ", partly traced, partly scripted";
  } else if (report.origin != Origin::unknown) {
    text += fmt::format(", {}", name(report.origin));
  }
  if (report.frozen) text += ", frozen";
  if (report.quantized) text += ", quantised";
  return text;
}

class Page : private Sheet {
 public:
  Page(const Report& report, const TextOptions& options)
      : Sheet({options.color, options.lines}), report_(report), options_(options) {}

  std::string draw() {
    line("{}  {}", style_(Ink::title, printable(report_.file)), kind_text(report_));
    out_ += '\n';
    summary();
    entry_points();
    sizes();
    out_ += module_text(report_.modules, options_, style_);
    operators();
    return std::move(out_);
  }

 private:
  void summary() {
    fact("size", bytes_text(report_.file_size));
    const std::string version =
        report_.format_version > 0 ? fmt::format(", file format {}", report_.format_version) : "";
    fact("saved by", report_.exported ? exported_by(*report_.exported)
                                      : fmt::format("PyTorch {}{}", to_string(report_.saver), version));
    weights();
    mode();
    const auto hooked = std::count_if(report_.modules.modules.begin(), report_.modules.modules.end(),
                                      [](const Module& module) { return module.hooks; });
    if (hooked > 0) fact("hooks", "of " + plural(hooked, "module"));
    if (!report_.extra_files.empty()) {
      fact("extra files", printable(join(report_.extra_files, ", ")));
    }
  }

  // "PyTorch 2.9.1, schema 8.14, dialect TRAINING"
  static std::string exported_by(const Exported& facts) {
    std::string text =
        facts.torch_version.empty() ? "PyTorch 2.4 or older" : "PyTorch " + printable(facts.torch_version);
    text += fmt::format(", schema {}", facts.schema_version);
    if (!facts.dialects.empty()) text += fmt::format(", dialect {}", printable(join(facts.dialects, ", ")));
    return text;
  }

  void sizes() {
    if (!report_.exported || report_.exported->sizes.empty()) return;
    line("\n{}", style_(Ink::title, "Dynamic sizes"));
    std::size_t width = 0;
    for (const auto& [name, range] : report_.exported->sizes) width = std::max(width, printable(name).size());
    for (const auto& [name, range] : report_.exported->sizes)
      line("  {:{}}  {}", printable(name), width, to_string(range));
  }

  void mode() {
    const std::vector<Module>& modules = report_.modules.modules;
    const auto training =
        std::count_if(modules.begin(), modules.end(), [](const Module& module) { return module.training; });
    if (training > 0) {
      const bool all = training == std::ssize(modules);
      const std::string who = all ? "training" : fmt::format("{} in training", plural(training, "module"));
      fact("mode",
           style_(Ink::warning, who) +
               ": dropout and batch normalization may act as in training; call .eval() before saving");
    } else if (report_.training) {
      fact("mode", "evaluation");
    }
  }

  void weights() {
    const Weights& weights = report_.modules.weights;
    std::string text;
    const auto part = [&](Role role, std::string_view noun) {
      const std::int64_t elements = element_at(weights.elements, role);
      if (elements > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(elements), noun);
    };
    part(Role::parameter, "in parameters");
    part(Role::packed, "packed");
    part(Role::buffer, "in buffers");
    part(Role::constant, "in constants");
    if (text.empty()) {
      fact("weights", "none");
      return;
    }
    fact("weights",
         fmt::format("{}; {}", text, bytes_text(static_cast<std::uint64_t>(weights.total_bytes()))));
    auto types = report_.modules.elements;
    std::ranges::reverse(types);
    std::ranges::stable_sort(types, std::greater<>(), &std::pair<std::string, std::int64_t>::second);
    std::string counts;
    for (const auto& [type, count] : types)
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", grouped(count), type);
    fact("elements", counts);
  }

  std::string signature(const EntryPoint& entry, const Style& style, std::string_view separator) const {
    std::string arguments;
    for (const Argument& argument : entry.arguments) {
      if (!arguments.empty()) arguments += separator;
      arguments += printable(argument.name) + ": " + style(Ink::type, argument.type);
      if (argument.default_value)
        arguments += " = " + style(Ink::literal, printable(*argument.default_value));
    }
    const std::string result = entry.returns.empty() ? "" : " -> " + style(Ink::type, entry.returns);
    return fmt::format("{}({}){}", style(Ink::name, printable(entry.name)), arguments, result);
  }

  // On one line if it fits, otherwise with an argument a line.
  std::string signature(const EntryPoint& entry) const {
    const std::size_t length = display_width(signature(entry, Style(false, false), ", "));
    const bool fits = length + 2 <= options_.width;
    const std::string indent(printable(entry.name).size() + 3, ' ');
    return signature(entry, style_, fits ? ", " : ",\n" + indent);
  }

  void entry_points() {
    if (report_.entry_points.empty()) {
      fact("entry points", "none");
      return;
    }
    line("\n{}", style_(Ink::title, report_.entry_points.size() == 1 ? "Entry point" : "Entry points"));
    for (const EntryPoint& entry : report_.entry_points) {
      line("  {}", signature(entry));
      for (const Example& example : entry.examples) {
        line("    {} {}", style_(Ink::faint, example.bundled ? "bundled input" : "traced with"),
             join(example.arguments, ", "));
      }
    }
  }

  void operators() {
    if (report_.operators.empty()) return;
    std::int64_t calls = 0;
    std::vector<std::string> cells;
    const std::size_t digits = grouped(report_.operators.front().second).size();
    for (const auto& [op, count] : report_.operators) {
      calls = saturating_add(calls, count);
      cells.push_back(fmt::format("{:>{}} {}", grouped(count), digits, printable(op)));
    }
    const std::string where = report_.entry_points.empty()
                                  ? "all code"
                                  : "one run of " + printable(report_.entry_points.front().name);
    line("\n{}  {}", style_(Ink::title, "Operators"),
         style_(Ink::faint, fmt::format("{} in {}", plural(calls, "call"), where)));
    out_ += in_columns(cells, options_.width);
  }

  const Report& report_;
  const TextOptions& options_;
};

}  // namespace

std::string to_text(const Report& report, const TextOptions& options) { return Page(report, options).draw(); }

}  // namespace cameo::inspect
