#include <fmt/core.h>

#include <iterator>

#include "cameo/format.h"
#include "export/report/report.h"
#include "rewrite/log.h"

namespace cameo {
namespace {

class Page {
 public:
  template <typename... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_ += fmt::format(text, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void values(std::string_view title, const std::vector<ValueInfo>& values) {
    line("\n## {}\n\n| name | type |\n|---|---|", title);
    for (const ValueInfo& value : values) line("| `{}` | `{}` |", value.name, type_text(value));
  }

  template <class Number>
  void numbers(std::string_view title, std::string_view head,
               const std::vector<std::pair<std::string, Number>>& pairs) {
    if (pairs.empty()) return;
    line("\n## {}\n\n| {} | |\n|---|---|", title, head);
    for (const auto& [name, number] : pairs) line("| {} | {} |", name, number);
  }

  void list(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    line("\n## {}\n", title);
    for (const std::string& item : items) line("- `{}`", item);
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

std::string report_markdown(const ReportFile& file) {
  Page page;
  page.line("# {}\n", file.output);
  if (const ExportReport* report = file.report) {
    page.line(
        "ONNX model, opset {}, exported from `{}` by cameo {} in {:.2f} s: {} nodes, {} parameters, {} "
        "bytes.",
        report->opset, file.model, file.version, report->seconds, report->nodes, report->parameters,
        report->bytes);
    page.values("Inputs", report->inputs);
    page.values("Outputs", report->outputs);
    page.numbers("Operators", "operator", report->operators);
    page.numbers("Rules", "rule", report->rules);
    page.list("Rewrites", rewrite::lines(report->rewrites));
    page.numbers("Timings", "stage", report->timings);
    page.list("Assumptions", report->assumptions);
    page.list("Changed buffers", report->changed_buffers);
  } else {
    page.line("`{}` could not be exported by cameo {}.", file.model, file.version);
  }
  if (!file.all.empty())
    page.line("\n## {}\n\n```\n{}```", file.report ? "Warnings" : "Errors", format(file.all));
  return page.take();
}

}  // namespace cameo
